"""What can be done with a championship. Each function checks, writes and records in one transaction."""
