"""The one process tree of `demo` and `serve`, from a bare Python to its children."""
