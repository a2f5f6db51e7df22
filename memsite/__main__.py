"""`python -m memsite`."""

from memsite.cli.main import run

if __name__ == "__main__":
    run()
