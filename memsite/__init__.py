"""A git-backed static site generator for the memory of AI agents."""

__version__ = "0.1.0"
