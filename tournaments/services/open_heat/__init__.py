"""Sessions of an open heat: their starts, their queue, and the tables that are seated from the queue."""
