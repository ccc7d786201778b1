"""Entry fees, till shifts, bills, and the accounts of an evening. All amounts are in Rappen."""
