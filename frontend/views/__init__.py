"""One module per page. A view checks who asks, reads through games.access and tournaments, and renders."""
