"""What one process takes on at once (requests, connections, bodies, hashes), and what all others are told."""
