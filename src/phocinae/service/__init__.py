"""Use cases: the only place that calls a port, and it always answers."""
