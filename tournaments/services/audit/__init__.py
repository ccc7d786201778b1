"""What can be shown to be so afterwards: seals and audits."""
