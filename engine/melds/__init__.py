"""Melds: which there are, how they are declared and compared, and what the ledger keeps of them."""
