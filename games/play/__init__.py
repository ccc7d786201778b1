"""Command processing: from the request to the stored events and their deadlines."""
