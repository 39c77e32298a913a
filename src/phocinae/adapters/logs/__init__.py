"""Places that lines are written to for whoever runs the program: files of their own, and standard error."""
