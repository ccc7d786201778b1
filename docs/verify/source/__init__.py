"""Verify an exported championship of Puur without Puur: one file, the standard library, Python 3.9 or newer.

    python3 puur_verify.py EXPORT.zip
    python3 puur_verify.py EXPORT.zip --checkpoint "lusab babad gutih ..."     the twelve words on your sheet
    python3 puur_verify.py EXPORT.zip --checkpoint "https://.../#lusab-babad-..."     its QR code
    python3 puur_verify.py EXPORT.zip --checkpoint saved.json     a checkpoint saved from the platform
    python3 puur_verify.py EXPORT.zip --checkpoint ranking.pdf     the ranking as PDF, which holds one
    python3 puur_verify.py SERIES.zip EXPORT.zip ...     a series, with the files of its evenings
    python3 puur_verify.py EXPORT.zip --key 64-HEX-CHARACTERS     the public key you were given

Exit code 0: nothing differs. 1: something differs, and the report names it. 2: the file or the words cannot
be used. README.md beside this file describes the checks and their meaning. The developers' pages
log-format.md, sealing.md, export-format.md, dealing.md and seats.md describe the formats.
"""

# build.py makes this docstring that of puur_verify.py.
