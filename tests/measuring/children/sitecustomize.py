"""Python imports this when it begins, where the folder is on its path: see `tests.measuring.children`."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

# Not as `tests.measuring`: some processes have tests of their own.
spec = spec_from_file_location("measuring", Path(__file__).parent.parent / "__init__.py")
assert spec is not None
assert spec.loader is not None
measuring = module_from_spec(spec)
spec.loader.exec_module(measuring)
measuring.start_as_a_child()
