"""Git and the disk: the only room that starts child processes."""
