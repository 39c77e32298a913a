"""The Model Context Protocol without input or output: frames in, frames out."""
