"""Both decks as drawings of our own: parts in Python, one SVG sprite per deck under static/puur/cards/.

`python -m frontend.decks` writes the sprites; a test compares them with what is committed. A card is 100 × 156
units; symbols are named by deck and code (`fr-S6`, `ch-back`), pips alone by deck and suit (`ch-pip-S`).
"""
