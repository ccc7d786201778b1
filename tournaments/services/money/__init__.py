"""Fees, till shifts, bills, and the accounts of an evening. Amounts are in Rappen."""
