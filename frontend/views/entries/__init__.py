"""The registration desk, self-registration, pairs and teams, and the pages of one person."""
