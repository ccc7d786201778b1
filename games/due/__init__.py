"""What happens by itself: deadlines, what they do, and when a turn calls for one."""
