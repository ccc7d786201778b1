"""The HTTP API of games. Programs can do with it everything that people can do on pages."""
