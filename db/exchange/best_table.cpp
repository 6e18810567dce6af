// Shows best configurations as table rows and as lines of details.
#include "db/exchange/best_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "db/query/band.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/vocabulary.hpp"
#include "kernels/core/warnings.hpp"

namespace warpwright::db {
namespace {

Table::Cell number_or_nothing(const std::optional<double>& value, const std::string& shown) {
  return value ? Table::Cell(*value, shown) : Table::Cell();
}

// Shortened, because "arithmetic" is too long for a column.
std::string short_name(const Ceiling& ceiling) {
  return ceiling.name == "arithmetic" ? "flops" : ceiling.name;
}

Table::Cell of_ceiling(const Best& best) {
  const auto share = best.ceiling.share_at(best.winner.time_us());
  if (!share) return {};
  return {*share, fmt::format("{:.0f} % {}", 100 * *share, short_name(best.ceiling)),
          *share >= 0.85 ? Tone::good : Tone::plain};
}

const ComparedBaseline* strongest_of(const Best& best) {
  const auto ratio = [](const ComparedBaseline& compared) { return compared.comparison.ratio; };
  const auto strongest = std::ranges::min_element(best.baselines, {}, ratio);
  return strongest == best.baselines.end() ? nullptr : &*strongest;
}

Table::Cell against_library(const Best& best) {
  const ComparedBaseline* const strongest = strongest_of(best);
  if (strongest == nullptr) return {};
  const double ratio = strongest->comparison.ratio;
  return {ratio, fmt::format("{}{:.2f}", strongest->has_rounds() ? "" : "~", ratio),
          ratio < 1 ? Tone::notice : Tone::good};
}

Table::Cell certainty_of(const TrialView& view) {
  const std::string text = view.short_certainty();
  return {view.certainty(), text, text == "certified" ? Tone::good : view.is_measured() ? Tone::notice : Tone::plain};
}

Table::Cell searched_of(const Searched& searched) {
  const auto share = searched.share();
  return {share ? Table::Value(*share) : Table::Value(), searched.text(),
          searched.only_defaults && share.value_or(0) < 1 ? Tone::notice : Tone::plain};
}

Table::Cell optional_number(const std::optional<double>& value) {
  return number_or_nothing(value, value ? fmt::format("{}", *value) : "");
}

// Name of the ceiling: "copy", "the board's bandwidth".
std::string ceiling_name(const Ceiling& ceiling) {
  if (!ceiling.is_peak) return ceiling.name;
  return ceiling.name == "arithmetic" ? "the board's arithmetic" : "the board's bandwidth";
}

// Why a prediction was chosen among its equals.
std::string why_chosen(const RobustChoice& choice) {
  std::vector<std::string> others;
  if (choice.sizes > 0) others.push_back("at " + counted(static_cast<std::int64_t>(choice.sizes), "other size"));
  if (choice.boards > 0) others.push_back("on " + counted(static_cast<std::int64_t>(choice.boards), "other board"));
  if (others.empty()) return "no other size or board is in the database to choose by";
  return fmt::format("of all these it loses least {}: {:.1f} % on average", fmt::join(others, " and "),
                     100 * choice.loss);
}

// The trials that cannot be told apart from the best: for a prediction its equals, with their times and kernels.
std::string equals_of(const Best& best) {
  const auto more = std::ssize(best.tied);
  if (best.winner.is_measured()) return fmt::format("{} more cannot be told apart from it", more);
  double last = best.winner.time_us().value_or(0), first = last;
  std::set<std::string> kernels{best.winner.kernel};
  for (const TrialView& view : best.tied) {
    last = std::max(last, view.time_us().value_or(0));
    first = std::min(first, view.time_us().value_or(0));
    kernels.insert(view.kernel);
  }
  std::string text = fmt::format("{} more of {} within the model's error, from {} to {}", more,
                                 fmt::join(kernels, ", "), time_text(first), time_text(last));
  return best.robust ? text + "; " + why_chosen(*best.robust) : text;
}

std::string time_of(const Best& best) {
  const TrialView& winner = best.winner;
  const double us = winner.time_us().value_or(0);
  std::string text = winner.is_measured() || winner.trial.provenance == provenance::imported
                         ? fmt::format("{:.2f} us", us)
                         : fmt::format("predicted {:.1f} us", us);
  if (winner.trial.low_us && winner.trial.high_us)
    text += winner.is_predicted() ? fmt::format(" [{:.1f}, {:.1f}]", *winner.trial.low_us, *winner.trial.high_us)
                                  : fmt::format(" [{:.2f}, {:.2f}]", *winner.trial.low_us, *winner.trial.high_us);
  text += ", " + best.ceiling.text_at(us);
  if (const auto share = best.ceiling.share_at(us))
    text += fmt::format(" = {:.1f} % of the ceiling ({}, {})", 100 * *share, ceiling_name(best.ceiling),
                        best.ceiling.text());
  return text;
}

// Behind numbers that come from this trial's time.
std::string_view if_predicted(const TrialView& view) {
  return view.is_predicted() ? " (by predicted times)" : "";
}

// A note for each problem with several sizes on a board, on the configuration for all of them.
std::string all_sizes_notes(const std::vector<Best>& settings, const Screen& screen) {
  // By title, what it may leave out, and how the times were found.
  std::map<std::tuple<std::string, std::string, std::string, Id, std::string>, std::vector<const Best*>> problems;
  std::set<Id> boards;
  for (const Best& best : settings) {
    const Problem& problem = best.winner.problem;
    const Id board = best.winner.trial.board_id.value_or(0);
    boards.insert(board);
    if (!best.all_sizes) continue;
    problems[{title_without_shape(problem), settings_text(problem), problem.types, board, best.winner.trial.provenance}]
        .push_back(&best);
  }
  std::string text;
  for (const auto& [key, sizes] : problems) {
    const OneForAll& one = *sizes.front()->all_sizes;
    const auto& board = sizes.front()->winner.board;
    std::vector<std::string> losses;
    for (const Best* best : sizes)
      losses.push_back(
          fmt::format("{:.1f} % at {}", 100 * best->all_sizes->loss, short_shape(best->winner.problem.shape)));
    const Objective objective = sizes.front()->objective;
    const std::string what = objective == Objective::time ? "" : fmt::format(" in {}", word_of(objective));
    text += wrapped(printable(fmt::format(
                        "One configuration for {} sizes of {}{}: {} {} loses{} {}; {:.1f} % in the geometric mean{}",
                        one.among, std::get<0>(key), board && boards.size() > 1 ? " on " + board->model : "",
                        one.setting.kernel, unqualified(one.setting.params), what, fmt::join(losses, ", "),
                        100 * one.mean_loss, if_predicted(one.setting))),
                    screen.width, 2);
  }
  return text;
}

// Without those that hold for each kernel of a pattern, unless `verbose`.
std::string shown_warnings(const std::string& stored, bool verbose) {
  if (verbose) return stored;
  std::vector<Warning> warnings = parse_warnings(stored);
  std::erase_if(warnings, [](const Warning& one) { return one.kind == Warning::Kind::untimed_by_pattern; });
  return stored_text(warnings);
}

// Says which boards the answers are of, if they are of several.
std::string boards_note(const std::vector<Best>& settings, const Screen& screen) {
  std::map<std::string, std::int64_t> boards;
  for (const Best& best : settings) ++boards[best.winner.board ? best.winner.board->model : "an unknown board"];
  if (boards.size() < 2) return {};
  std::vector<std::string> parts;
  for (const auto& [model, count] : boards) parts.push_back(fmt::format("{} on {}", counted(count, "problem"), model));
  return wrapped(
      printable(fmt::format("These are of several boards: {}; --board MODEL prefers one", fmt::join(parts, ", "))),
      screen.width, 2);
}

// How many predictions are equal to each best one, and what that means.
std::string notes_on_equals(const std::vector<Best>& settings, const Screen& screen) {
  std::vector<std::string> counts;
  bool has_predictions = false;
  for (const Best& best : settings) {
    if (!best.winner.is_predicted()) continue;
    has_predictions = true;
    if (!best.tied.empty())
      counts.push_back(fmt::format("{} of {}", grouped(std::ssize(best.tied)), title_of(best.winner.problem)));
  }
  std::string text;
  if (!counts.empty())
    text = fmt::format("Other configurations that are as fast as the best within the model's error: {}. {} ",
                       fmt::join(counts, ", "), equals_words());
  if (has_predictions) text += range_words();
  return text.empty() ? text : wrapped(printable(text), screen.width);
}

}  // namespace

Table best_table(const std::vector<Best>& settings, bool verbose) {
  const bool is_by_energy =
      std::ranges::any_of(settings, [](const Best& best) { return best.objective != Objective::time; });
  const bool has_accuracy =
      verbose && std::ranges::any_of(settings, [](const Best& best) { return !best.winner.accuracy().empty(); });
  const bool has_limits =
      std::ranges::any_of(settings, [](const Best& best) { return best.winner.trial.limited_by.has_value(); });
  const bool has_replays =
      std::ranges::any_of(settings, [](const Best& best) { return best.winner.trial.replay_us.has_value(); });
  Table table({{.head = "PATTERN"},
               {.head = "PROBLEM", .least = 12},
               {.head = "KERNEL", .least = 10},
               {.head = "TIME", .key = "time_us"},
               {.head = "IN A GRAPH", .key = "replay_us", .least = Table::whole, .only_as_data = !has_replays},
               {.head = "ENERGY", .key = "joules", .least = Table::whole, .only_as_data = !is_by_energy},
               {.head = "LIMITED BY", .key = "limited_by", .can_go = true, .only_as_data = !has_limits},
               {.head = "OF CEILING", .key = "share_of_ceiling", .can_go = true},
               {.head = "DEFAULT", .key = "times_as_fast_as_default", .can_go = true},
               {.head = "LIBRARY", .key = "library_time_over_ours", .can_go = true},
               {.head = "CERTAINTY", .least = 18},
               {.head = "SEARCHED", .key = "share_searched"},
               {.head = "ACCURACY", .least = Table::whole, .can_go = true, .only_as_data = !has_accuracy},
               {.head = "ceiling", .only_as_data = true},
               {.head = "library", .key = "fastest_library", .only_as_data = true},
               {.head = "params", .only_as_data = true},
               {.head = "arch", .only_as_data = true},
               {.head = "board", .only_as_data = true},
               {.head = "provenance", .only_as_data = true},
               {.head = "settings", .only_as_data = true},
               {.head = "types", .only_as_data = true},
               {.head = "shape", .only_as_data = true},
               {.head = "low_us", .only_as_data = true},
               {.head = "high_us", .only_as_data = true},
               {.head = "relative_error", .only_as_data = true},
               {.head = "error_ulp", .only_as_data = true},
               {.head = "tied", .only_as_data = true},
               {.head = "evaluated", .only_as_data = true},
               {.head = "configurations", .only_as_data = true},
               {.head = "match", .only_as_data = true},
               {.head = "id", .only_as_data = true}});
  for (const Best& best : settings) {
    const TrialView& view = best.winner;
    const ComparedBaseline* const strongest = strongest_of(best);
    table.add({view.pattern,
               short_title(view.problem),
               view.kernel,
               number_or_nothing(view.time_us(), time_text(view.time_us().value_or(0))),
               number_or_nothing(view.trial.replay_us, time_text(view.trial.replay_us.value_or(0))),
               number_or_nothing(view.trial.joules, view.energy()),
               Table::Cell::unless_empty(view.trial.limited_by.value_or("")),
               of_ceiling(best),
               number_or_nothing(best.speedup, fmt::format("{:.2f}x", best.speedup.value_or(0))),
               against_library(best),
               certainty_of(view),
               searched_of(best.searched),
               Table::Cell::unless_empty(view.accuracy()),
               best.ceiling.is_known() ? Table::Cell(best.ceiling.words()) : Table::Cell(),
               strongest ? Table::Cell(strongest->name()) : Table::Cell(),
               view.params,
               view.trial.target,
               view.board ? Table::Cell(view.board->model) : Table::Cell(),
               view.trial.provenance,
               settings_text(view.problem),
               view.problem.types,
               view.problem.shape,
               optional_number(view.trial.low_us),
               optional_number(view.trial.high_us),
               optional_number(view.trial.relative_error),
               optional_number(view.trial.error_ulp),
               static_cast<std::int64_t>(best.tied.size()),
               best.searched.evaluated,
               best.searched.configurations,
               best.match,
               view.trial.id});
  }
  return table;
}

std::vector<Id> winners_of(const std::vector<Best>& settings) {
  std::vector<Id> ids;
  for (const Best& best : settings) ids.push_back(best.winner.trial.id);
  return ids;
}

std::string best_text(const std::vector<Best>& settings, bool verbose, const Screen& screen) {
  std::string text = best_table(settings, verbose).text(screen);
  if (verbose) text += "\n" + best_details(settings, screen);
  const std::string notes = best_notes(settings, screen, verbose);
  return text + (verbose && !notes.empty() ? "\n" : "") + notes;
}

std::string best_details(const std::vector<Best>& settings, const Screen& screen) {
  constexpr std::size_t indent = 13;
  std::string text;
  for (const Best& best : settings) {
    const TrialView& winner = best.winner;
    const auto line = [&](const char* name, const std::string& value) {
      if (!value.empty()) text += wrapped(printable(fmt::format("  {:<10} {}", name, value)), screen.width, indent);
    };
    text += painted(printable(title_of(winner.problem)), Tone::heading, screen) + "\n";
    line("best", fmt::format("{}/{} {}", winner.pattern, winner.kernel, unqualified(winner.params)));
    line("time", time_of(best));
    line("limit", winner.trial.limited_by.value_or(""));
    if (winner.trial.replay_us) line("replay", fmt::format("{:.2f} us a run in a graph", *winner.trial.replay_us));
    if (winner.trial.joules) line("energy", winner.energy() + " a run");
    if (best.speedup)
      line("default", fmt::format("{:.2f} times as fast as the kernel's default ({})", *best.speedup,
                                  time_text(best.default_us.value_or(0))));
    if (!best.tied.empty()) line("ties", equals_of(best));
    line("certainty", winner.certainty());
    line("accuracy", winner.accuracy());
    line("same bits", winner.determinism());
    if (const auto& other = best.deterministic)
      line("same bits",
           fmt::format("in every run: {}, {:.1f} % slower", unqualified(other->setting.settings()), 100 * other->loss));
    line("searched", best.searched.in_words());
    line("from", best.match);
    if (winner.trial.id != 0) line("more", fmt::format("tunedb show {}", winner.trial.id));
    text += comparison_lines(best) + "\n";
  }
  if (!text.empty()) text.pop_back();
  return text;
}

std::string comparison_lines(const Best& best) {
  if (best.baselines.empty()) return {};
  Table table({{.head = ""}, {.head = ""}, {.head = ""}, {.head = ""}});
  const auto row = [&](const std::string& name, double us, const std::string& rest) {
    table.add({"  " + name, {us, fmt::format("{:.1f} us", us)}, {us, best.ceiling.text_at(us)}, rest});
  };
  const TrialView& winner = best.winner;
  row("ours", winner.time_us().value_or(0), "");
  for (const ComparedBaseline& compared : best.baselines) {
    const auto& [baseline, comparison] = compared;
    const std::string name = fmt::format("{} {}", compared.name(), baseline.is_default ? "default" : "tuned");
    const std::string label = time_kind(baseline.mode) == time_kind(winner.trial.mode) ? "" : "; both " + baseline.mode;
    row(name, baseline.median_us.value_or(0),
        fmt::format("ours is {:.3f} x as fast{}{}; {}{}", comparison.ratio,
                    compared.has_rounds() ? fmt::format(" [{:.3f}, {:.3f}]", comparison.low, comparison.high)
                                          : ", not measured in alternating rounds",
                    label, baseline.version, baseline.knobs.empty() ? "" : " " + baseline.knobs));
  }
  if (best.ceiling.is_known()) row(fmt::format("ceiling ({})", ceiling_name(best.ceiling)), best.ceiling.us(), "");
  return table.text({.width = 0});
}

std::string best_notes(const std::vector<Best>& settings, const Screen& screen, bool verbose) {
  std::string text;
  for (const Best& best : settings)
    if (const std::string warnings = shown_warnings(best.winner.trial.warnings, verbose); !warnings.empty())
      text +=
          wrapped(printable(fmt::format("Warning: {}: {}", title_of(best.winner.problem), warnings)), screen.width, 2);
  for (const Best& best : settings)
    if (!best.as_asked)
      text += wrapped(printable(fmt::format("{}: {}", title_of(best.winner.problem), best.match)), screen.width, 2);
  for (const Best& best : settings) {
    const auto& any = best.any_data;
    if (!any || any->worst_at != best.winner.problem.data) continue;
    const std::string loss = any->worst_loss < 0.0005 ? "as fast as the best"
                                                      : fmt::format("at most {:.1f} % slower than the best ({})",
                                                                    100 * any->worst_loss, any->worst_at);
    text +=
        wrapped(printable(fmt::format("Where the data of {} is not known: {} {}, of {} data sets {}{}",
                                      title_without_data(best.winner.problem), any->setting.kernel,
                                      unqualified(any->setting.params), any->among, loss, if_predicted(any->setting))),
                screen.width, 2);
  }
  text += boards_note(settings, screen) + all_sizes_notes(settings, screen);
  return text + notes_on_equals(settings, screen);
}

}  // namespace warpwright::db
