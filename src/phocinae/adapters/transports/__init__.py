"""Ways to carry frames between a client and a conversation."""
