"""Finding, naming, staging and building bots."""
