"""`python -m engine`."""

from .cli.main import main

raise SystemExit(main())
