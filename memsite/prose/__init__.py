"""Word-level diff and blame of prose, CJK included: texts in, spans out."""
