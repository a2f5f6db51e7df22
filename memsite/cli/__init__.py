"""The command line: the only room that prints, exits, reads the clock and the environment."""
