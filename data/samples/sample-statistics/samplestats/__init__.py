"""Figures that describe a sample of numbers."""
