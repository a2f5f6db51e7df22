"""Transcripts and hook events of agents, read into messages."""
