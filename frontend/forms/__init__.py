"""Forms: they check input as far as they can; services check the rest and refuse with codes."""
