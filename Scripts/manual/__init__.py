"""What the manual pages consist of, beside what the programs tell of themselves."""
