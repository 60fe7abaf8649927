"""Benchmarks: ratios of our time to a baseline's, taken turn by turn in one run. Never part of the tests."""
