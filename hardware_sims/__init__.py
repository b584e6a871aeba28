"""Simulated hardware: the reference machine at the far end of the wire, and its camera.

Nothing in the product imports this package at run time; it is reached by URL through entry points.
"""
