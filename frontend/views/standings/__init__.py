"""Rankings of people and teams."""
