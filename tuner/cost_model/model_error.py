# How wrong predicted times are, from configurations that were predicted and measured, and whether a correction helps.
# model_error.py: prints the figures of model_rows.csv.
# model_error.py --write: writes those that the programs use to db/query/model_error.cpp.
# model_error.py --table SESSION FILE: writes a table for docs/results.
# model_error.py --rows MEASURED.csv PREDICTED.db...: writes model_rows.csv anew; MEASURED.csv has the columns board,
# pattern, types, shape, kernel, params (as `tunedb trials` shows them) and measured_us.
import csv
import math
import sqlite3
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROWS = HERE / "model_rows.csv"
SOURCE = HERE.parents[1] / "db/query/model_error.cpp"
FEATURES = ["occupancy", "registers", "block_threads", "waves", "spill_bytes", "load_sectors", "store_sectors"]
KEY = ["board", "pattern", "types", "shape", "kernel", "params"]
COLUMNS = [*KEY, "measured_us", "predicted_us", "limited_by", *FEATURES]
TAIL = 0.1  # of the ratios on each side of the interval
WRONG_ORDER = 0.25  # pairs of which the model orders more wrongly count as equal
STEP = 0.05  # of the widths that are tried
RIDGE = 1.0
MOST_LOST_SPEARMAN, MOST_LOST_TIME = 0.05, 0.05  # by the correction, in any group


def set_form(params):
    """{.tile_dim = 32, .order = a::row} as tile_dim=32,order=row."""
    parts = params.strip()[2:-1].split(", .") if params.startswith("{.") else []
    return ",".join(name + "=" + value.split("::")[-1] for name, value in (part.split(" = ") for part in parts))


def predicted_rows(file):
    """The newest prediction of each configuration, with what the correction may use."""
    database = sqlite3.connect(file)
    found = {}
    for row in database.execute("""
            SELECT b.model, p.pattern, p.types, p.shape, k.kernel, c.params, t.predicted_us, t.limited_by, t.occupancy, t.registers, t.block_threads,
                   t.grid_blocks * 1.0 * t.block_threads / (b.sm_count * max(t.occupancy, 0.01) * 2048), t.spill_bytes,
                   a.global_load_sectors * 1.0 / nullif(a.global_load_requests, 0),
                   a.global_store_sectors * 1.0 / nullif(a.global_store_requests, 0)
            FROM trial t JOIN board b ON b.id = t.board_id JOIN problem p ON p.id = t.problem_id
            JOIN configuration c ON c.id = t.configuration_id JOIN kernel k ON k.id = c.kernel_id
            LEFT JOIN access a ON a.configuration_id = c.id AND a.problem_id = p.id AND a.launch = -1
            WHERE t.provenance = 'predicted' AND t.predicted_us IS NOT NULL AND t.limited_by IS NOT NULL
            ORDER BY t.created_at"""):
        found[(*row[:5], set_form(row[5]))] = row[6:]
    return found


def write_rows(measured, files):
    predictions = {}
    for file in files:
        predictions.update(predicted_rows(file))
    rows = []
    with open(measured, newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            key = tuple(row[name] for name in KEY)
            if key not in predictions:
                continue
            us, limit, *features = predictions[key]
            rows.append([*key, f"{float(row['measured_us']):.5g}", f"{us:.5g}", limit,
                         *("" if value is None else f"{value:.4g}" for value in features)])
    with open(ROWS, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(sorted(rows))


def read_groups():
    """The rows of each problem on each board that has at least five, by board, pattern and the rest."""
    groups = defaultdict(list)
    with open(ROWS, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            row["measured"], row["predicted"] = float(row["measured_us"]), float(row["predicted_us"])
            groups[row["board"], row["pattern"], row["types"] + " " + row["shape"]].append(row)
    return {key: rows for key, rows in sorted(groups.items()) if len(rows) >= 5}


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    i = 0
    while i < len(order):
        j = i
        while j + 1 < len(order) and values[order[j + 1]] == values[order[i]]:
            j += 1
        for k in range(i, j + 1):
            found[order[k]] = (i + j) / 2
        i = j + 1
    return found


def correlation(a, b):
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    top = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    bottom = math.sqrt(sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b))
    return top / bottom if bottom > 0 else 0


def spearman(rows, times):
    return correlation(ranks(times), ranks([row["measured"] for row in rows]))


def top_loss(rows, times, count):
    """What the fastest of those that are predicted best loses."""
    best = sorted(range(len(rows)), key=times.__getitem__)[:count]
    return min(rows[i]["measured"] for i in best) / min(row["measured"] for row in rows) - 1


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def quantiles(groups):
    """The interval of measured over predicted times, each group with the same weight."""
    weighted = sorted((row["measured"] / row["predicted"], 1 / len(rows)) for rows in groups for row in rows)
    total, low, high, seen = sum(weight for _, weight in weighted), None, None, 0
    for ratio, weight in weighted:
        seen += weight
        if low is None and seen >= TAIL * total - 1e-9:
            low = ratio
        if high is None and seen >= (1 - TAIL) * total - 1e-9:
            high = ratio
    return low, high


def covered(rows, low, high):
    return sum(low <= row["measured"] / row["predicted"] <= high for row in rows) / len(rows)


def wrong_orders(groups):
    """By width: the share of pairs that the model orders wrongly, if their predicted times differ by that much. Only
    pairs whose faster one is predicted within 50 % of the best; groups have the same weight."""
    sums = defaultdict(lambda: [0.0, 0.0])
    for rows in groups:
        least = min(row["predicted"] for row in rows)
        pairs = defaultdict(lambda: [0, 0])
        for one in rows:
            if one["predicted"] > 1.5 * least:
                continue
            for other in rows:
                width = other["predicted"] / one["predicted"] - 1
                if width > 0:
                    pair = pairs[int(width / STEP)]
                    pair[0] += other["measured"] < one["measured"]
                    pair[1] += 1
        for width, (wrong, all_) in pairs.items():
            sums[width][0] += wrong / all_
            sums[width][1] += 1
    return {width: wrong / count for width, (wrong, count) in sorted(sums.items())}


def equal_within(groups):
    """The width from which on the model orders fewer than a quarter of the pairs wrongly, over three steps."""
    wrong = wrong_orders(groups)
    for step in range(int(1 / STEP)):
        near = [wrong[at] for at in range(step, step + 3) if at in wrong]
        if near and sum(near) / len(near) < WRONG_ORDER:
            return step * STEP
    return 1.0


def features_of(row, limits):
    def number(name):
        return float(row[name] or 0)

    return [number("occupancy"), number("registers") / 64, math.log2(number("block_threads") or 32) / 4,
            math.log2(max(number("waves"), 0.01)) / 4, math.log2(1 + number("spill_bytes")) / 4,
            math.log2(1 + number("load_sectors")), math.log2(1 + number("store_sectors")),
            *(1.0 if row["limited_by"] == limit else 0.0 for limit in limits)]


def solve(matrix, right):
    """Gaussian elimination with pivoting."""
    size = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, size):
            factor = rows[k][i] / rows[i][i]
            for j in range(i, size + 1):
                rows[k][j] -= factor * rows[i][j]
    found = [0.0] * size
    for i in reversed(range(size)):
        found[i] = (rows[i][size] - sum(rows[i][j] * found[j] for j in range(i + 1, size))) / rows[i][i]
    return found


def trained(groups, limits):
    """Ridge regression of the logarithm of measured over predicted, within groups: only order matters."""
    size = 7 + len(limits)
    matrix = [[RIDGE if i == j else 0.0 for j in range(size)] for i in range(size)]
    right = [0.0] * size
    for rows in groups:
        points = [features_of(row, limits) for row in rows]
        targets = [math.log(row["measured"] / row["predicted"]) for row in rows]
        means = [sum(column) / len(rows) for column in zip(*points)]
        mean = sum(targets) / len(rows)
        for point, target in zip(points, targets):
            centred = [value - average for value, average in zip(point, means)]
            for i in range(size):
                right[i] += centred[i] * (target - mean) / len(rows) * 20
                for j in range(size):
                    matrix[i][j] += centred[i] * centred[j] / len(rows) * 20
    return solve(matrix, right)


def corrected(rows, weights, limits):
    return [row["predicted"] * math.exp(sum(w * x for w, x in zip(weights, features_of(row, limits)))) for row in rows]


def left_out(groups, part):
    """Spearman and top-10 loss of each group before and after a correction that was trained on the other parts."""
    limits = sorted({row["limited_by"] for rows in groups.values() for row in rows})
    found = {}
    for value in sorted({part(key) for key in groups}):
        weights = trained([rows for key, rows in groups.items() if part(key) != value], limits)
        for key, rows in groups.items():
            if part(key) != value:
                continue
            before, after = [row["predicted"] for row in rows], corrected(rows, weights, limits)
            found[key] = (spearman(rows, before), spearman(rows, after), top_loss(rows, before, 10),
                          top_loss(rows, after, 10))
    return found


def helps(found):
    """Whether a correction improves both figures in the mean and spoils none by more than is allowed."""
    def gain(after, before):
        return sum(one[after] - one[before] for one in found.values()) / len(found)

    worst_spearman = min(one[1] - one[0] for one in found.values())
    worst_time = max(one[3] - one[2] for one in found.values())
    return (gain(1, 0) > 0 and gain(3, 2) < 0 and worst_spearman >= -MOST_LOST_SPEARMAN and worst_time <= MOST_LOST_TIME,
            gain(1, 0), gain(3, 2), worst_spearman, worst_time)


def write_table(session, file):
    """A table of docs/results: each group, and what a correction that is trained without it would change."""
    groups = read_groups()
    boards, patterns = left_out(groups, lambda key: key[0]), left_out(groups, lambda key: key[1])
    with open(file, "w", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(["session", "board", "pattern", "problem", "configurations", "measured_over_predicted",
                         "spearman", "best_loses", "top_10_loses", "spearman_without_board", "top_10_without_board",
                         "spearman_without_pattern", "top_10_without_pattern"])
        for key, rows in groups.items():
            times = [row["predicted"] for row in rows]
            ratio = median([row["measured"] / row["predicted"] for row in rows])
            figures = [ratio, spearman(rows, times), top_loss(rows, times, 1), top_loss(rows, times, 10),
                       boards[key][1], boards[key][3], patterns[key][1], patterns[key][3]]
            writer.writerow([session, key[0], key[1].replace("job:job_", ""), key[2], len(rows),
                             *(f"{figure:.3g}" for figure in figures)])


def source_text():
    """The source with the figures that the programs use."""
    groups = list(read_groups().values())
    low, high = quantiles(groups)
    return f"""// The errors of predicted times. Made by tuner/cost_model/model_error.py from model_rows.csv beside it: run that again
// in place of changing this.
#include "db/query/model_error.hpp"

namespace warpwright::db {{

const double equal_within = {equal_within(groups):.2f};
const double least_measured = {low:.2g}, most_measured = {high:.2g};

}}  // namespace warpwright::db
"""


def main(arguments):
    if arguments[:1] == ["--rows"]:
        write_rows(arguments[1], arguments[2:])
        return
    if arguments[:1] == ["--table"]:
        write_table(*arguments[1:])
        return
    if arguments == ["--write"]:
        SOURCE.write_text(source_text(), encoding="utf-8")
        return
    groups = read_groups()
    everything = list(groups.values())
    low, high = quantiles(everything)
    equal = equal_within(everything)
    print(f"{sum(map(len, everything))} configurations of {len(groups)} problems on boards")
    for key, rows in groups.items():
        times = [row["predicted"] for row in rows]
        others = quantiles([other for name, other in groups.items() if name[1] != key[1]])
        ratio = median([row["measured"] / row["predicted"] for row in rows])
        print(f"{' '.join(key):70} {len(rows):4} spearman {spearman(rows, times):5.2f} best {top_loss(rows, times, 1):.3f}"
              f" top10 {top_loss(rows, times, 10):.3f} measured/predicted {ratio:.2f}"
              f" covered by others' interval {covered(rows, *others):.2f}")
    print(f"interval {low:.2f} to {high:.2f}, equal within {equal:.2f}")
    print("wrong orders", {f"{width * STEP:.2f}": round(share, 2) for width, share in wrong_orders(everything).items()
                           if width < 30})
    for name, part in (("board", lambda key: key[0]), ("pattern", lambda key: key[1])):
        found = left_out(groups, part)
        print("without one", name, helps(found))
        for key, values in found.items():
            print("   ", " ".join(key)[:60].ljust(60), *(f"{value:.3f}" for value in values))


if __name__ == "__main__":
    main(sys.argv[1:])
