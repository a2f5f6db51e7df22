"""The memory folder's formats and rules: pure values, no IO, no clock."""
