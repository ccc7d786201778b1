"""Printable documents for hand, wall and table, as PDF by typst.

`documents` lists them; one module each collects a document's plain data in the requested language;
`templates` lay it out; `typesetting` makes the PDF.
"""
