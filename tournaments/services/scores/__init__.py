"""Results of tables, the ranking computed from them, and exports."""
