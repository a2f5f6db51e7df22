"""The website: the only room that knows MkDocs."""
