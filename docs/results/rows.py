# The tables of docs/results: their columns, how they are read and written, and the rules that a row must satisfy. A
# table of another name has columns of its own, the session first.
import csv
import re
from pathlib import Path

COLUMNS = {
    # One run: what, when, where, by which command. Every other row names one of these.
    "sessions": ["session", "date", "machine", "driver", "cuda", "command", "note", "source"],
    # The best of a problem beside its ceiling, its kernel's default, the fastest library and Kokkos. A ratio is the
    # library's time over ours, paired in rounds of one session.
    "problems": ["session", "pattern", "problem", "data", "types", "size", "kernel", "params", "time_us", "low_us",
                 "high_us", "ceiling", "of_ceiling", "default_ratio", "library", "library_us", "ratio", "ratio_low",
                 "ratio_high", "kokkos_default_us", "kokkos_default_ratio", "kokkos_tuned_us", "kokkos_tuned_ratio",
                 "bar", "bar_of", "certainty", "configurations", "space", "note"],
    # The best of every kernel of a problem.
    "kernels": ["session", "pattern", "problem", "data", "types", "size", "kernel", "time_us", "ceiling", "of_ceiling",
                "note"],
    # Any other figure.
    "measurements": ["session", "topic", "what", "value", "unit", "low", "high", "bar", "note"],
    # An attempt that was no improvement: `figure` is its own figure, `kept` that of the code in use.
    "tried": ["date", "machine", "on", "what", "figure", "kept", "unit", "why"],
}
NUMBERS = {"time_us", "low_us", "high_us", "of_ceiling", "default_ratio", "library_us", "ratio", "ratio_low",
           "ratio_high", "kokkos_default_us", "kokkos_default_ratio", "kokkos_tuned_us", "kokkos_tuned_ratio", "bar",
           "configurations", "space", "value", "low", "high", "figure", "kept"}
NEEDED = {
    "sessions": ["session", "date", "machine", "command", "source"],
    "problems": ["session", "pattern", "types", "size", "time_us"],
    "kernels": ["session", "pattern", "types", "size", "kernel", "time_us"],
    "measurements": ["session", "topic", "what", "value", "unit"],
    "tried": ["date", "machine", "on", "what", "why"],
}
# What a bar may be held against.
BARS = {"", "ratio", "of_ceiling", "kokkos_tuned_ratio", "kokkos_default_ratio"}
# How far a paired ratio of medians may be from the ratio of two medians that were taken apart.
APART = 0.06
# The same where the power cap held the clocks back, as the row's note says: rounds that alternate with a library that
# draws less power run at higher clocks.
APART_AT_POWER_CAP = 0.1
# Above its ceiling a rate may be by this much: the ceiling is measured too.
ABOVE_CEILING = 1.05


def number(row, column):
    """The number in a column; None if it is empty."""
    text = row.get(column, "")
    return float(text) if text != "" else None


def read(path):
    """The rows of a table, in order."""
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file, strict=True)
        columns = COLUMNS.get(path.stem, reader.fieldnames)
        if reader.fieldnames != columns or columns[:1] != ["session"] and path.stem != "tried":
            raise ValueError(f"{path}: its columns are {reader.fieldnames}, not {columns}, session first")
        lines = list(reader)
        for line, row in enumerate(lines, 2):
            if None in row or None in row.values():
                raise ValueError(f"{path}:{line}: has more or fewer fields than there are columns")
        return lines


def write(path, rows):
    """Writes a table; what a row lacks is left empty."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        columns = COLUMNS.get(Path(path).stem) or list(rows[0])
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def wrong_order(row, low, middle, high):
    """Whether three numbers are all given and not in order."""
    known = [value for value in (number(row, low), number(row, middle), number(row, high)) if value is not None]
    return known != sorted(known)


def wrong_ratio(row, time, ratio):
    """Whether a ratio differs from the other's time divided by ours by more than rounding and pairing allow."""
    theirs, ours, said = number(row, time), number(row, "time_us"), number(row, ratio)
    apart = APART_AT_POWER_CAP if "power cap" in row.get("note", "") else APART
    return None not in (theirs, ours, said) and abs(theirs / ours / said - 1) > apart


def about_numbers(row):
    """What is wrong with the numbers of a row, as texts."""
    for column in NUMBERS & row.keys():
        if row[column] == "":
            continue
        try:
            value = float(row[column])
        except ValueError:
            yield f"{column} is '{row[column]}', which is no number"
            continue
        if not 0 <= value < 1e15:
            yield f"{column} is {row[column]}"


def about_row(table, row):
    """What is wrong with a row, in words."""
    for column in NEEDED.get(table, ["session"]):
        if not row[column].strip():
            yield f"{column} is missing"
    complaints = list(about_numbers(row)) if table in COLUMNS else []
    yield from complaints
    if complaints:
        return
    if "date" in row and not re.fullmatch(r"\d{4}-\d\d-\d\d", row["date"]):
        yield f"date is '{row['date']}', not like 2026-11-24"
    if table in ("problems", "kernels"):
        if (number(row, "of_ceiling") or 0) > ABOVE_CEILING:
            yield f"of_ceiling is {row['of_ceiling']}: a share is at most 1"
        if bool(row["of_ceiling"]) != bool(row["ceiling"]):
            yield "ceiling and of_ceiling go together"
    if table == "problems":
        if wrong_order(row, "low_us", "time_us", "high_us"):
            yield f"time_us {row['time_us']} is not between {row['low_us']} and {row['high_us']}"
        if wrong_order(row, "ratio_low", "ratio", "ratio_high"):
            yield f"ratio {row['ratio']} is not between {row['ratio_low']} and {row['ratio_high']}"
        for time, ratio in (("library_us", "ratio"), ("kokkos_default_us", "kokkos_default_ratio"),
                            ("kokkos_tuned_us", "kokkos_tuned_ratio")):
            if wrong_ratio(row, time, ratio):
                yield f"{ratio} {row[ratio]} is not {time} {row[time]} over time_us {row['time_us']}"
        if row["ratio"] and not row["library"]:
            yield "a ratio without its library"
        if row["bar_of"] not in BARS or bool(row["bar"]) != bool(row["bar_of"]):
            yield f"bar_of is '{row['bar_of']}' beside the bar '{row['bar']}'"
        configurations, space = number(row, "configurations"), number(row, "space")
        if configurations is not None and space is not None and configurations > space:
            yield f"{row['configurations']} configurations of a space of {row['space']}"
    if table == "measurements" and wrong_order(row, "low", "value", "high"):
        yield f"value {row['value']} is not between {row['low']} and {row['high']}"


def is_met(row):
    """Whether a row's bar is met: by its value, or by the upper end of its interval. None for a row without a bar."""
    if not row["bar"]:
        return None
    reached = [number(row, row["bar_of"]), number(row, "ratio_high") if row["bar_of"] == "ratio" else None]
    reached = [value for value in reached if value is not None]
    return max(reached) >= number(row, "bar") if reached else None


def complaints_about(path, sessions=None):
    """What is wrong with a table; `sessions` are those that its rows may name."""
    seen = set()
    for line, row in enumerate(read(path), 2):
        where = f"{path.parent.name}/{path.name}:{line}: "
        for complaint in about_row(path.stem, row):
            yield where + complaint
        if sessions is not None and row["session"] not in sessions:
            yield f"{where}there is no session '{row['session']}' in sessions.csv"
        key = tuple(row.values())
        if key in seen:
            yield f"{where}the row stands there twice"
        seen.add(key)
