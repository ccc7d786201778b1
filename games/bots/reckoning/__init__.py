"""What a bot reckons with: what it can know, what it expects, and its chance."""
