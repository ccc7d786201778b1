"""Rankings of people and teams, and places after each round."""
