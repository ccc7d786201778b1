"""Pages outside of a championship, and fixed files."""
