"""Access to tables with physical cards: permanent table codes, and the phones that use them."""
