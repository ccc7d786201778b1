"""Pages outside of a championship: home, manuals, jobs, and the condition of the installation."""
