"""A referee's rulings, and what they do to the points."""
