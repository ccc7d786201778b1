"""A command on its way: from its request to what is stored, and what deadlines send."""
