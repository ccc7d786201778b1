"""Queries of a state for pages, bots and clients: snapshot, reasons, sheet forms,
descriptions of variants.
"""
