"""What people type in, checked as far as a form can; the services check the rest and refuse by code."""
