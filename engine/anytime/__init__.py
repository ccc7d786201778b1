"""What may be done whoever has the turn: claim, stop, break off, take back."""
