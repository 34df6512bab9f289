"""Runs the plans of the software verifier Fathom on a Ray cluster."""
