"""Paper: what an evening needs in the hand, on the wall and on the table, as PDF by typst.

`documents` lists what can be printed; a module each makes the plain data of one, in the language asked for;
`templates` lay it out; `typesetting` makes the PDF of both.
"""
