"""The site's own search: an index of words and character pairs, cut into small scripts that load on demand."""
