"""A shell reader on tree-sitter and its bash grammar.

The parser's tree is evidence, not truth: it loses commands in some corners of the
language.  So every byte of the text must be accounted for by a node that this package
knows, here-documents are found by a scanner of our own before parsing, backquotes are
read again as texts of their own, and whatever stays unexplained becomes a gap.
"""

from .reader import TreeSitterReader

__all__ = ["TreeSitterReader"]
