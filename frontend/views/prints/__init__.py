"""Documents for print."""
