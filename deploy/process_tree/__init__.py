"""The process tree of `demo` and `serve`, from bare Python to its children."""
