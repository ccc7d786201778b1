"""Entry point of `python -m engine`."""

from engine.cli.main import main

raise SystemExit(main())
