"""Results of tables, the ranking computed from them, corrections of sums, and exports."""
