#!/usr/bin/env python3
# Makes the pages of docs/results from its tables, and checks the rows: make_pages.py [--check] [--root FOLDER].
# A folder DATE_BOARD with CSV files becomes the page DATE_BOARD.md; tried.csv becomes tried.md. --check writes nothing.
import argparse
import re
import sys
import textwrap
from pathlib import Path

import rows

WIDEST = 120
HERE = Path(__file__).resolve().parent
NOTICE = "<!-- Made by make_pages.py from the tables in {}: change those, and run it again. -->\n"
INTRODUCTIONS = {
    "problems": "Time: the median in us, in brackets its 95 % confidence interval. Of ceiling: the kernel's rate divided by "
                "the ceiling. That is the highest rate in the session's database: of a plain copy, a plain read, the bus "
                "or a loop of multiply-adds, or of a right kernel that was faster for this problem. For matrix units there "
                "is no such loop, so the ceiling is the fastest kernel so far, and differs between sessions. For integers "
                "the share of the copy is shown. (Until 2026-11-24: the highest rate of the same session.) Default: the "
                "default configuration's time divided by the winner's; below 1 the two are tied. Library ratio, Kokkos: "
                "their time divided by the winner's. It is the median over rounds that time both, so it may differ from "
                "the quotient of the two times shown. Asked: the ratio that was aimed for, set before the run; met if the "
                "interval reaches it. Searched: the share of the configurations that was measured. Settings and data at their default are left out; the params are "
                "in the CSV file.",
    "kernels": "The best configuration of each kernel of a problem. These times are from the search. The winner was chosen by "
               "the times of the final rounds, so another kernel may be a little faster here.",
    "strategies_by_space": "The mean score of each strategy on each space, and its standard error. Tuned on: whether constants of "
                   "gaussian_process were chosen on the space.",
    "strategies": "Strategies on recorded spaces. Outstanding: how many configurations are under way at a time. The "
                    "score is 0 for the exact expectation of random search, and 1 for the optimum at once "
                    "(docs/tuning.md). Then: the best time over the optimum after 25, 100 and 400 evaluations, the share "
                    "of runs that found the optimum, and, if it is there, the median number of evaluations to 95 % of the "
                    "optimum's speed, or the time of the strategy alone.",
    "stored_results": "What a search gains from results in its database. Each pair of rows is one problem, searched without and "
                      "with stored results. The faster of the two winners is the reference. To 95 %: the evaluations "
                      "and seconds until a configuration reached 95 % of the reference's speed; \"-\" if none did. The "
                      "seconds begin with the session, after set-up. Speed of best: this run's winner, relative to the "
                      "reference.",
    "known_results": "What a search on a recorded space gains if the fastest configurations of other boards are known. "
                     "Known boards: how many there are. Then, without and with these: the mean score, and the "
                     "evaluations and the seconds until 95 % of the optimum's speed was reached (medians).",
    "predictions_of_recorded_boards": "Predicted times beside recordings that others published, for boards that were not here. "
                     "Of recording: the share of its configurations that was predicted. Before: the model of 2026-11-29, with the same traces (first session only). Best "
                     "loses: how much slower the configuration that was predicted best is than the fastest of the whole recording; "
                     "top 10: the same for the fastest of the ten predicted best. Least possible loss: what a perfect order of the "
                     "predicted configurations would lose, since only a sample was predicted. No constant of the model was "
                     "fitted to these boards. But these recordings showed what the model lacked, so they are no independent test of it.",
    "errors": "Errors of products of floats: the worst one and the root mean square, each divided by the sum of |a| |b|, "
              "in units of 2^-24. Data: uniform in [-1, 1); positive: their absolute values; normal; range 2^40: uniform "
              "times a power of two from 2^-20 to 2^20; cancelling: pairs of terms that nearly cancel.",
    "errors_of_predictions": "Predicted times beside measured ones, of the same configurations: a sample of those that were measured, "
                             "with the fastest two of each kernel. Losses are relative to the fastest of the sample. "
                             "Without board, without pattern: what they would be with a correction by occupancy, registers, block "
                             "size, waves, spills, sectors per request and what limits the time, that was trained on all other "
                             "boards or patterns.",
    "measurements": "Each value names the session that it is from (next section).",
    "sessions": "When, on what machine and with which command each session was run.",
}


def filled(text):
    return textwrap.fill(text, WIDEST - 10, break_long_words=False, break_on_hyphens=False)


def bullet(text):
    """An entry of a list."""
    return filled(f"- {text}").replace("\n", "\n  ") + "\n"


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def table(heads, lines, right=()):
    """A table in Markdown; columns that no line fills are left out."""
    kept = [i for i in range(len(heads)) if any(line[i] for line in lines)]
    text = "| " + " | ".join(heads[i] for i in kept) + " |\n"
    text += "|" + "|".join("---:" if heads[i] in right else "---" for i in kept) + "|\n"
    for line in lines:
        text += "| " + " | ".join(cell(line[i]) or "-" for i in kept) + " |\n"
    return text


def with_thousands(text):
    """A number with separators: 5,794.9."""
    match = re.fullmatch(r"(\d{4,})(\.\d+)?", text)
    return f"{int(match[1]):,}{match[2] or ''}" if match else text


def interval(row, value, low, high):
    text = with_thousands(row[value])
    return f"{text} [{with_thousands(row[low])}, {with_thousands(row[high])}]" if row[low] and row[high] else text


def share(text):
    """0.838 is 83.8 %; small numbers get one digit more."""
    if not text:
        return ""
    percent = 100 * float(text)
    return f"{percent:.1f} %" if percent >= 0.95 else f"{percent:.2g} %"


def of_ceiling(row):
    return f"{share(row['of_ceiling'])} {row['ceiling']}" if row["of_ceiling"] else ""


def problem(row):
    return ", ".join(part for part in (row["problem"].replace(",", ", "), row["types"],
                                       f"data {row['data']}" if row["data"] else "") if part)


def beside(row, time, ratio):
    return f"{row[ratio]} ({with_thousands(row[time])})" if row[ratio] and row[time] else row[ratio]


def bar(row):
    met = rows.is_met(row)
    if met is None:
        return ""
    what = share(row["bar"]) if row["bar_of"] == "of_ceiling" else row["bar"]
    return f"{what} {'met' if met else 'not met'}"


def searched(row):
    if not row["configurations"]:
        return ""
    count = with_thousands(row["configurations"])
    if not row["space"]:
        return count
    return f"{share(str(int(row['configurations']) / int(row['space'])))} of {with_thousands(row['space'])}"


def problems_text(lines):
    heads = ["pattern", "problem", "size", "kernel", "time", "of ceiling", "default", "library", "library ratio",
             "Kokkos default (us)", "Kokkos tuned (us)", "asked", "certainty", "searched", "session"]
    listed = [[row["pattern"], problem(row), row["size"], row["kernel"], interval(row, "time_us", "low_us", "high_us"),
               of_ceiling(row), f"{row['default_ratio']}x" if row["default_ratio"] else "",
               f"{row['library']} ({with_thousands(row['library_us'])} us)" if row["library_us"] else row["library"],
               interval(row, "ratio", "ratio_low", "ratio_high"),
               beside(row, "kokkos_default_us", "kokkos_default_ratio"),
               beside(row, "kokkos_tuned_us", "kokkos_tuned_ratio"), bar(row), row["certainty"].split(" (")[0],
               searched(row), row["session"]] for row in lines]
    text = table(heads, listed, ("time", "of ceiling", "default"))
    notes = [bullet(f"{row['pattern']} {problem(row)}, {row['size']}: {row['note']}") for row in lines if row["note"]]
    return text + ("\nNotes:\n\n" + "".join(notes) if notes else "")


def kernels_text(lines):
    heads = ["pattern", "problem", "size", "kernel", "time us", "of ceiling", "session", "note"]
    return table(heads, [[row["pattern"], problem(row), row["size"], row["kernel"], with_thousands(row["time_us"]),
                          of_ceiling(row), row["session"], row["note"]] for row in lines], ("time us", "of ceiling"))


def measurements_text(lines):
    text = ""
    for topic in dict.fromkeys(row["topic"] for row in lines):
        own = [row for row in lines if row["topic"] == topic]
        text += f"\n### {topic}\n\n" + table(
            ["what", "value", "unit", "asked", "session", "note"],
            [[row["what"], interval(row, "value", "low", "high"), row["unit"], row["bar"], row["session"], row["note"]]
             for row in own], ("value",))
    return text


def wrapped(command):
    """A command, wrapped to several lines if needed; each line but the last ends in a backslash."""
    lines = textwrap.wrap(command, WIDEST - 2, break_long_words=False, break_on_hyphens=False, subsequent_indent="  ")
    return " \\\n".join(lines)


def sessions_text(lines):
    """Each session with its command as it was then; it is not checked against today's options."""
    text = ""
    for row in lines:
        made = ", ".join(part for part in (row["date"], row["machine"], row["driver"] and f"driver {row['driver']}",
                                           row["cuda"] and f"CUDA {row['cuda']}") if part)
        about = ". ".join(part.rstrip(".") for part in (made, row["note"], f"From: {row['source']}") if part)
        text += "\n" + filled(f"**{row['session']}**: {about}.") + "\n"
        text += f"\n```log\n{wrapped(row['command'])}\n```\n" if row["command"] else ""
    return text


TEXTS = {"problems": ("Best of each problem", problems_text), "kernels": ("Kernel by kernel", kernels_text),
         "measurements": ("Other measurements", measurements_text), "sessions": ("Sessions", sessions_text)}


def tables_in(folder):
    """The names of its tables, in the order of the page."""
    there = {path.stem for path in folder.glob("*.csv")}
    first = [name for name in ("problems", "kernels") if name in there]
    last = [name for name in ("measurements", "sessions") if name in there]
    return [*first, *sorted(there - {*first, *last}), *last]


def title_of(folder):
    date, _, board = folder.name.partition("_")
    if board == "no_gpu":
        return f"Without a GPU, {date}"
    # Names of boards have a digit; the rest of the folder name distinguishes the runs of a day.
    words = [word.upper() if re.search(r"\d", word) else word for word in board.split("_")]
    return f"{' '.join(words)}, {date}"


def own_text(lines):
    """A table with other columns, unchanged; the session comes last."""
    heads = [*list(lines[0])[1:], "session"]
    numbers = [head for head in heads if all(re.fullmatch(r"-?[\d.]*", line[head]) for line in lines)]
    return table(heads, [[with_thousands(line[head]) for head in heads] for line in lines], numbers)


def page_of(folder):
    """The page of one folder of tables; tables with other columns come before the sessions."""
    text = NOTICE.format(f"{folder.name}/") + f"\n# {title_of(folder)}\n"
    for name in tables_in(folder):
        lines = rows.read(folder / f"{name}.csv")
        title, function = TEXTS.get(name, (name.replace("_", " ").capitalize(), own_text))
        introduction = f"{filled(INTRODUCTIONS[name])}\n\n" if name in INTRODUCTIONS else ""
        text += f"\n## {title}\n\n{introduction}{function(lines).lstrip()}"
    return text


def tried_text(path):
    """One line for each attempt that was no improvement."""
    text = NOTICE.format(path.name) + "\n# Tried and lost\n\n"
    text += filled("Changes to kernels and programs that were tried and not kept. Each line has what was tried and what it "
                   "reached, then, after \"against\", what the version that was kept reached at that time, and why.") + "\n"
    last = None
    for row in rows.read(path):
        if row["on"] != last:
            last = row["on"]
            text += f"\n## {last}\n\n"
        figure = f": {with_thousands(row['figure'])} {row['unit']}" if row["figure"] else ""
        kept = f" against {with_thousands(row['kept'])}" if row["kept"] else ""
        text += bullet(f"{row['what']}{figure}{kept}; {row['why']} ({row['date']}, {row['machine']})")
    return text


def index_text(root, folders):
    text = NOTICE.format("this folder") + (HERE / "introduction.txt").read_text(encoding="utf-8")
    listed = []
    for folder in folders:
        tables = tables_in(folder)
        count = sum(len(rows.read(folder / f"{name}.csv")) for name in tables if name != "sessions")
        listed.append([f"[{title_of(folder)}]({folder.name}.md)", f"[{len(tables)} tables]({folder.name}/)",
                       str(count)])
    return text + "\n" + table(["page", "its data", "rows"], listed, ("rows",)) + "\n" + filled(
        "[Tried and lost](tried.md): changes that were tried and not kept, with what they reached, and why.") + "\n"


def folders_of(root):
    return sorted((path.parent for path in root.glob("*/sessions.csv")), reverse=True)


def pages_of(root):
    """The text of every page, by its path."""
    folders = folders_of(root)
    pages = {root / f"{folder.name}.md": page_of(folder) for folder in folders}
    if (root / "tried.csv").is_file():
        pages[root / "tried.md"] = tried_text(root / "tried.csv")
    if root == HERE:
        pages[root / "README.md"] = index_text(root, folders)
    return pages


def complaints(root):
    """What is wrong with the rows of all tables."""
    found = []
    for folder in folders_of(root):
        sessions = {row["session"] for row in rows.read(folder / "sessions.csv")}
        for path in sorted(folder.glob("*.csv")):
            found += rows.complaints_about(path, None if path.stem == "sessions" else sessions)
    if (root / "tried.csv").is_file():
        found += rows.complaints_about(root / "tried.csv")
    return found


def main():
    parser = argparse.ArgumentParser(description="Makes the pages of docs/results from its tables.")
    parser.add_argument("--check", action="store_true", help="write nothing; say which pages are not up to date")
    parser.add_argument("--root", type=Path, default=HERE, help="the folder of the tables")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    wrong = complaints(root)
    pages = pages_of(root)
    for path, text in pages.items():
        if not arguments.check:
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            wrong.append(f"{path.name} is not what its data says: run docs/results/make_pages.py")
    if arguments.check:
        wrong += [f"{path.name} is a page without data" for path in sorted(root.glob("*.md"))
                  if path not in pages]
    for complaint in wrong:
        print(complaint)
    print(f"{len(pages)} pages, {len(wrong)} complaints")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
