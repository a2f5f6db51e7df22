"""argparse with our words, and without its slips."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from memsite.safety.terminal import escape_terminal


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line that a terminal may have."""

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        # Python before 3.13 takes a `--` for the value of the option before it, and makes an empty list of that.
        if action.nargs is None and arg_strings == ["--"]:
            self.error(f"argument {'/'.join(action.option_strings) or action.metavar}: expected one argument")
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        """One line, and exit code 2."""
        self.exit(2, f"memsite: {escape_terminal(message)}; see `{self.prog} --help`\n")
