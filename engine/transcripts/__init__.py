"""A physical table written down card by card: what is taken, what it proves, what stays open."""
