"""What other programs read of a site: Markdown, JSON, feeds, llms.txt."""
