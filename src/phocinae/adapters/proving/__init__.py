"""Proves an installed hook: runs its command as the agent would, also where everything around it is hostile."""
