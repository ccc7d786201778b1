"""What the platform says about itself: to supervisors, to Prometheus, on an error page."""
