"""`completion`: a script that completes memsite's commands, options and choices in a shell."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from memsite.cli.context import Context
from memsite.cli.usage import Argument, Usage, program_usage, usages

SHELLS = ("bash", "zsh", "fish")


def completion_parser(parser: argparse.ArgumentParser) -> None:
    """`completion bash|zsh|fish`."""
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=" | ".join(SHELLS))


def completion(context: Context, arguments: argparse.Namespace) -> None:
    """Print the script; what cannot be completed from the command line itself is left to the shell: files."""
    writers: dict[str, Callable[[], Iterator[str]]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    for line in writers[arguments.shell]():
        context.output.line(line)


def _commands() -> list[Usage]:
    return [one for one in usages() if " " not in one.name]


def _options(usage: Usage) -> list[str]:
    return [name for one in usage.arguments for name in one.names]


def _choices(usage: Usage) -> list[str]:
    return [choice for one in usage.arguments if not one.names for choice in one.choices]


def _valued(usage: Usage) -> Iterator[Argument]:
    return (one for one in usage.arguments if one.names and one.choices)


def _bash() -> Iterator[str]:
    commands = " ".join(one.name for one in _commands())
    yield '# memsite in bash: eval "$(memsite completion bash)"'
    yield "_memsite() {"
    yield '  local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" at=1 command= action= words='
    yield "  while ((at < COMP_CWORD)); do"
    yield '    case "${COMP_WORDS[at]}" in'
    yield "      -C|--now) ((at += 2)) ;;"
    yield "      -*) ((at += 1)) ;;"
    yield '      *) command="${COMP_WORDS[at]}"; ((at + 1 < COMP_CWORD)) && action="${COMP_WORDS[at+1]}"; break ;;'
    yield "    esac"
    yield "  done"
    yield '  case "$command $action" in'
    yield f'    " ") words="{commands} {" ".join(_options(program_usage()))}" ;;'
    for usage in sorted(usages(), key=lambda one: " " not in one.name):  # `index add` before all other of `index`
        pattern = f'"{usage.name}"' if " " in usage.name else f'"{usage.name} "*'
        yield f'    {pattern}) words="{" ".join([*_choices(usage), *_options(usage)])}" ;;'
    yield "  esac"
    yield '  case "$command $previous" in'
    for usage in _commands():
        for one in _valued(usage):
            pattern = "|".join(f'"{usage.name} {name}"' for name in one.names)
            yield f'    {pattern}) words="{" ".join(one.choices)}" ;;'
    yield "  esac"
    yield '  COMPREPLY=($(compgen -W "$words" -- "$word"))'
    yield "}"
    yield "complete -o default -F _memsite memsite"


def _zsh() -> Iterator[str]:
    yield "#compdef memsite"
    yield '# memsite in zsh: eval "$(memsite completion zsh)" after compinit'
    yield "_memsite() {"
    yield "  local curcontext=$curcontext state line"
    yield "  local -a commands=("
    yield from (f"    {_single(f'{one.name}:{one.summary}')}" for one in _commands())
    yield "  )"
    yield "  _arguments -C -S \\"
    yield from (f"    {spec} \\" for spec in _zsh_options(program_usage()))
    yield "    '1:command:->command' '*::argument:->arguments'"
    yield "  case $state in"
    yield "    command) _describe command commands ;;"
    yield "    arguments)"
    yield "      case $words[1] in"
    for usage in _commands():
        specs = [*_zsh_options(usage), *_zsh_positional(usage)]
        yield f"        {usage.name}) _arguments {' '.join(specs)} ;;"
    yield "      esac ;;"
    yield "  esac"
    yield "}"
    yield "compdef _memsite memsite"


def _zsh_options(usage: Usage) -> Iterator[str]:
    for one in usage.arguments:
        value = f":{one.value.replace(':', ' ')}:{_zsh_values(one)}" if one.value else ""
        for name in one.names:
            yield _single(f"{'*' if one.repeated else ''}{name}[{_flat(one.help)}]{value}")


def _zsh_positional(usage: Usage) -> Iterator[str]:
    for one in usage.arguments:
        if not one.names:
            place = "*" if one.repeated else ""
            yield _single(f"{place}:{one.value.replace(':', ' ')}:{_zsh_values(one)}")


def _zsh_values(one: Argument) -> str:
    return f"({' '.join(one.choices)})" if one.choices else "_files"


def _fish() -> Iterator[str]:
    yield "# memsite in fish: memsite completion fish | source"
    yield "function __memsite_no_command"
    yield "  for word in (commandline -opc)[2..]"
    yield f"    contains -- $word {' '.join(one.name for one in _commands())}; and return 1"
    yield "  end"
    yield "  return 0"
    yield "end"
    for one in program_usage().arguments:
        yield f"complete -c memsite -n __memsite_no_command {_fish_option(one)}"
    for usage in usages():
        name, _, action = usage.name.partition(" ")
        if action:
            continue
        yield f"complete -c memsite -f -n __memsite_no_command -a {name} -d {_single(usage.summary)}"
        inside = f"-n '__fish_seen_subcommand_from {name}'"
        for one in usage.arguments:
            if one.names:
                yield f"complete -c memsite {inside} {_fish_option(one)}"
            elif one.choices:
                yield f"complete -c memsite -f {inside} -a '{' '.join(one.choices)}'"


def _fish_option(one: Argument) -> str:
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in one.names)
    value = f" -x -a '{' '.join(one.choices)}'" if one.choices else " -r" if one.value else ""
    return f"{names} -d {_single(one.help)}{value}"


def _flat(text: str) -> str:
    return text.replace("[", "(").replace("]", ")").replace(":", ",")


def _single(text: str) -> str:
    return "'" + text.replace("'", "’") + "'"
