"""How this installation is: what it lacks, what it counts."""
