"""Score sheets: checks of entries, totals, and explanations of totals."""
