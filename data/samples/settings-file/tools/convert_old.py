# Written for Python 2 and never ported.
import sys


def convert_old(lines):
    for line in lines:
        print line.replace(":", "=")


if __name__ == "__main__":
    convert_old(sys.stdin)
