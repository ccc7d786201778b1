"""The desk: who takes part, codes for places, and what is stored about a person."""
