"""The drawings of both decks. Python code composes them to one SVG sprite for each deck under
static/puur/cards/.

`python -m frontend.decks` writes the sprites; a test compares them with the committed files. A card measures
100 × 156 units. Symbols are named by deck and code (`fr-S6`, `ch-back`), suit signs by deck and suit
(`ch-pip-S`).
"""
