"""Queries of a state for pages, bots and clients: snapshot, reasons of illegal cards, sheet forms,
descriptions of variants.
"""
