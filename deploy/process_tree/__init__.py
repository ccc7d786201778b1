"""The process tree of `demo` and `serve`: preparation of the environment, the parent, and its children."""
