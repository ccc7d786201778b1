"""The hall where cards are real: codes that lie on tables, phones that come in with them."""
