"""`python -m ropewalk` is the command `ropewalk`."""

from ropewalk_cli import main

if __name__ == "__main__":
    main()
