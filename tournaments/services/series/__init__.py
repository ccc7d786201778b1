"""Series of a club: editing, the document for the pure functions, and the championship of a final."""
