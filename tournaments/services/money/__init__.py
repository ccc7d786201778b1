"""Fees, the till with its shifts, bills, and the accounts of an evening. Amounts are in Rappen."""
