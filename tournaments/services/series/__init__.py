"""Series of a club: editing them, loading their documents, publishing their tables, and making the final."""
