"""What stands between memory text and the reader: HTML, secrets, paths, terminals."""
