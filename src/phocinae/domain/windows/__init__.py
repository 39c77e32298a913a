"""What only texts and paths of Windows need; loaded when one occurs."""
