"""The drawings of both decks: Python parts, composed to one SVG sprite per deck under static/puur/cards/.

`python -m frontend.decks` writes the sprites; a test compares them with the committed files. A card is 100 ×
156 units; symbols are named by deck and code (`fr-S6`, `ch-back`), pips by deck and suit (`ch-pip-S`).
"""
