"""Where gates and servers are put together from their parts."""
