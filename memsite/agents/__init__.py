"""What is installed into an agent."""
