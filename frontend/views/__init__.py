"""One module per page. A view checks who asks, reads through games and tournaments, and renders."""
