// Writes what limits the kernels of a problem, and the speedup of each over the next: a roofline and a ladder.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernels/core/shape.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"
#include "reports/charts/ladder.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/roofline.hpp"
#include "reports/html.hpp"
#include "reports/parts.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

// The rates of the board, measured in the winner's session if they were.
db::Rates rates_of(const ProblemResults& results) {
  const auto& session = results.best->session;
  if (results.measured() && session && session->copy_gbs) return db::rates_of(*session);
  return db::rates_of(results.board);
}

std::optional<double> traced_bytes(const ProblemResults& results, const db::TrialView& view) {
  for (const Row& row : results.rows)
    if (row.trial().configuration_id == view.trial.configuration_id && row.traced_bytes) return row.traced_bytes;
  return std::nullopt;
}

// Why a kernel has no time that compares with the best, from one of its configurations.
std::string why_untimed(const ProblemResults& results, const Row& row) {
  const db::Trial& trial = row.trial();
  if (trial.verdict != verdict::passed && trial.verdict != verdict::unchecked)
    return trial.verdict + (trial.detail.empty() ? "" : ": " + shortened(trial.detail, 80));
  if (trial.provenance != results.provenance) return trial.provenance + ", not " + results.provenance;
  if (row.view->time_us() && db::time_kind(trial.mode) != db::time_kind(results.mode))
    return "timed in another mode only: " + trial.mode;
  return "right, but not timed";
}

// For each kernel without a time, why: it has none here, or it was timed at other sizes only.
std::map<std::string, std::string> untimed(const Subject& subject) {
  const ProblemResults& results = subject.results;
  const auto is_own = [&](const Row& row) { return row.trial().provenance == results.provenance; };
  std::map<std::string, const Row*> telling;  // what is of the kind of the best says more
  for (const Row& row : results.rows) {
    if (results.rank_of(row.view->kernel) > 0) continue;
    const Row*& known = telling[row.view->kernel];
    if (!known || (is_own(row) && !is_own(*known))) known = &row;
  }
  std::map<std::string, std::string> why;
  for (const auto& [kernel, row] : telling) why.emplace(kernel, why_untimed(results, *row));
  std::map<std::string, std::vector<std::string>> elsewhere;
  for (const Summary* other : sizes_of(subject))
    for (const db::Best& best : other->results->kernel_bests)
      if (results.rank_of(best.winner.kernel) == 0)
        elsewhere[best.winner.kernel].push_back(charts::with_powers(short_shape(other->results->problem.shape)));
  for (const auto& [kernel, sizes] : elsewhere)
    why.try_emplace(kernel, "not tried at this size; timed at " + listed(sizes, 3));
  return why;
}

}  // namespace

std::string predicting_command(const ProblemResults& results) {
  const db::Problem& problem = results.problem;
  const std::string settings = db::settings_text(problem);
  const bool is_job = results.defines.has_value();
  return fmt::format(
      "<code>tune {}<span>--predict</span> <span>--arch</span> {} <span>--board</span> {} "
      "<span>--pattern</span> {} <span>--type</span> {} <span>--size</span> {}{}</code>",
      is_job ? "JOB.json " : "", escape(results.board.arch), escape(shell_word(results.board.model)),
      escape(shell_word(problem.pattern)), escape(shell_word(problem.types)), escape(shell_word(problem.shape)),
      settings.empty() ? "" : " <span>--with</span> " + escape(shell_word(settings)));
}

Figure roofline_section(const Subject& subject) {
  const ProblemResults& results = subject.results;
  if (!results.best || !(results.problem.operations > 0)) return {};
  const db::Rates rates = rates_of(results);
  const double least = results.problem.bytes_read + results.problem.bytes_written;
  charts::Roofline roof;
  bool traced = false;
  for (const db::Best& best : results.kernel_bests) {
    const double us = results.shown_us(best.winner);
    charts::RooflineDot dot{.kernel = {.rank = results.rank_of(best.winner.kernel), .name = best.winner.kernel},
                            .operations_per_byte = {},
                            .gops = results.problem.operations / us / 1e3,
                            .us = us,
                            .predicted = results.predicted()};
    // Fewer bytes than the minimum mean that a thread of the small problem did less, so its trace is not valid for this
    // problem.
    if (const auto bytes = traced_bytes(results, best.winner); bytes && *bytes > 0.9 * least)
      dot.operations_per_byte = results.problem.operations / *bytes;
    traced = traced || dot.operations_per_byte;
    roof.dots.push_back(std::move(dot));
  }
  if (rates.copy_gbs > 0) {
    roof.memory_gbs = rates.copy_gbs;
    roof.memory_name = fmt::format("memory: {} GB/s, {}", charts::rate_gbs(rates.copy_gbs),
                                   rates.peaks ? "of the data sheet" : "a copy");
  }
  const double gflops = results.problem.arithmetic == "double" ? rates.double_gflops : rates.float_gflops;
  if (!results.problem.arithmetic.empty() && gflops > 0) {
    roof.peak_gops = gflops;
    roof.peak_name = fmt::format("{:.1f} TFLOP/s", gflops / 1e3);
  }
  if (least > 0) {
    roof.least_bytes_at = results.problem.operations / least;
    roof.least_bytes_name = "least bytes";
  }
  const bool is_above = std::ranges::any_of(roof.dots, [&](const charts::RooflineDot& dot) {
    return dot.operations_per_byte && dot.gops > 1.1 * charts::roof_at(roof, *dot.operations_per_byte);
  });
  std::string finding =
      "Kernels that move the least bytes stand right; those near the roof are as fast as the board lets them be. Bytes "
      "are those that the simulator traced of a small problem, scaled by the number of threads.";
  if (is_above) finding += " A cache serves part of the bytes of those above the roof.";
  if (!traced)
    finding =
        "No kernel was traced in the simulator, so the bytes that they move are not known: each is a mark at its "
        "speed. To trace them: " +
        predicting_command(results) + ".";
  else if (results.measured() &&
           !std::ranges::all_of(roof.dots, [](const auto& dot) { return dot.operations_per_byte.has_value(); }))
    finding += " Kernels at the left edge were not traced. To trace them: " + predicting_command(results) + ".";
  return Figure{.id = "roofline",
                .title = "Roofline",
                .provenance = results.provenance,
                .finding = finding,
                .body = charts::roofline(roof)};
}

Figure ladder_section(const Subject& subject) {
  const ProblemResults& results = subject.results;
  if (results.kernel_bests.empty()) return {};
  charts::Ladder ladder{
      .rungs = {}, .ceiling_us = {}, .ceiling_name = subject.summary.of, .predicted = results.predicted()};
  if (results.ceiling) ladder.ceiling_us = results.ceiling->us();
  double slowest = 0;
  double next = 0;  // the fastest that is not equal to the best
  std::vector<std::string> equals;
  for (const db::Best& best : results.kernel_bests) {
    const double us = results.shown_us(best.winner);
    const bool first = ladder.rungs.empty();
    const bool equal = !first && results.equals_best(best.winner);
    ladder.rungs.push_back({.kernel = {.rank = results.rank_of(best.winner.kernel), .name = best.winner.kernel},
                            .us = us,
                            .share = results.share_of_ceiling(us),
                            .equal = equal});
    slowest = std::max(slowest, us);
    if (equal) equals.push_back(escape(best.winner.kernel));
    if (!first && !equal && next == 0) next = us;
  }
  for (const auto& [kernel, why] : untimed(subject)) ladder.rungs.push_back({.kernel = {.name = kernel}, .why = why});
  const double least = *subject.summary.us;
  std::string finding;
  if (ladder.rungs.size() == 1)
    return Figure{.id = "kernels",
                  .title = "Kernels, naive to best",
                  .provenance = results.provenance,
                  .finding = "One kernel is timed: " + escape(subject.summary.kernel) + "."};
  if (next > 0)
    finding =
        fmt::format("The best is {} times as fast as the slowest; the last step, to {}, brings {}. ",
                    charts::ratio(slowest / least, 1), escape(subject.summary.kernel), charts::ratio(next / least, 2));
  if (!equals.empty()) finding += listed(equals, 4) + " cannot be told apart from the best.";
  return Figure{.id = "kernels",
                .title = "Kernels, naive to best",
                .provenance = results.provenance,
                .controls = choice("scale", "Scale of the ladder", {{"linear", "linear"}, {"log", "log"}}),
                .finding = finding,
                .body = charts::ladder(ladder)};
}

}  // namespace warpwright::reports
