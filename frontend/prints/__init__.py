"""Printable documents for hand, wall and table, as PDF by typst.

`documents` lists them. Each document has a module that collects its plain data in the requested language;
`templates` contains the layouts, and `typesetting` makes the PDF.
"""
