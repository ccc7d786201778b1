"""Pages and pictures for other sites."""
