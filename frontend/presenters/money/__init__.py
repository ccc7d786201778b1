"""Prizes, bookings, and unsettled money."""
