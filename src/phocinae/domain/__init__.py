"""The pure core: shell text and claims in, verdicts out; no input, output, clock or randomness."""
