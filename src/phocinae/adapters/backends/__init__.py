"""What can be asked about a command outside this process: decision services, and a guard program."""
