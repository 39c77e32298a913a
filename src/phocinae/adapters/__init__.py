"""One thing of the outside world each; adapters do not know one another."""
