"""The command line: `entry` is where it starts, `options` the one table of what it takes."""
