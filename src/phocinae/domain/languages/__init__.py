"""Code of programming languages, read as far as it takes to find what is plainly ruinous in it.

`syntax` cuts code into tokens; `statements` and `expressions` follow values from literals through names into
calls; `functions` lists what the functions of standard libraries do; `acts` judges a call of one, with `files`
for what is done to files, `sources` for where values come from, and `strings` for what becomes of texts.
Lisp and Tcl, which have no expressions of this kind, have readers of their own.
"""
