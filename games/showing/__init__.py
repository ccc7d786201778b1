"""What of a game somebody sees: views, projections, what is disclosed, files, and what would have been."""
