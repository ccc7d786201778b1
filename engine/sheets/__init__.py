"""Score sheets: their fields, what may be written, and the entries in the ledger."""
