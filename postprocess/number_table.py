"""Tables of numbers that sunder and its scripts write, as CSV. What is wrong with one ends the program with a message."""
import csv
import sys


def read_rows(path):
    """Lines of a CSV file, the header first, as lists of words."""
    try:
        with open(path, newline="") as file:
            return list(csv.reader(file))
    except OSError as error:
        sys.exit(f"{path}: cannot read it: {error.strerror}")
    except (UnicodeDecodeError, csv.Error) as error:
        sys.exit(f"{path}: expected a table in CSV: {error}")


def read_numbers(path, columns=()):
    """A dictionary of numbers by column for each line below the header. columns: names that it has to have."""
    rows = read_rows(path)
    header = rows[0] if rows else []
    missing = [name for name in columns if name not in header]
    if missing:
        sys.exit(f"{path}: expected the columns {' '.join(missing)}, found {' '.join(header)[:200] or 'none'}")
    return [numbers_of(path, line, header, row) for line, row in enumerate(rows[1:], 2)]


def numbers_of(path, line, header, row):
    if len(row) != len(header):
        sys.exit(f"{path}:{line}: expected {len(header)} values, as the header has, found {len(row)}")
    try:
        return {name: float(value) for name, value in zip(header, row)}
    except ValueError as error:
        sys.exit(f"{path}:{line}: expected numbers: {error}")
