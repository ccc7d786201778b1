"""What each observer may see of a game: views, frames and files, redacted and padded."""
