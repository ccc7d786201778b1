"""How this installation is: what it lacks, what it counts, where its keys lie."""
