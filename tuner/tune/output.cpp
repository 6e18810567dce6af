// Printing for people.
#include "tuner/tune/output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "db/text.hpp"

namespace warpwright::tuner {
namespace {

/// What cannot be told apart from the best: of predicted ones the band, with its times and kernels.
std::string equals_of(const db::Best& best) {
  if (best.winner.is_measured()) return fmt::format("{} more cannot be told apart from it", best.tied.size());
  double last = best.winner.time_us().value_or(0);
  std::set<std::string> kernels{best.winner.kernel};
  for (const db::TrialView& view : best.tied) {
    last = std::max(last, view.time_us().value_or(0));
    kernels.insert(view.kernel);
  }
  return fmt::format("one of {} equals up to {:.1f} us (the model's error is {:.0f} %), of {}", best.tied.size() + 1,
                     last, 100 * db::model_error, fmt::join(kernels, ", "));
}

}  // namespace

void print_best(const std::vector<BestLine>& lines) {
  for (const BestLine& line : lines) {
    const db::TrialView& winner = line.best.winner;
    const double us = winner.time_us().value_or(0);
    const db::Ceiling ceiling = line.ceiling();
    fmt::print("\n{}: {}/{}\n  ", db::title_of(winner.problem), winner.pattern, winner.settings());
    if (winner.is_measured())
      fmt::print("{:.1f} us [{:.1f}, {:.1f}], {}", us, winner.trial.low_us.value_or(us),
                 winner.trial.high_us.value_or(us), ceiling.text_at(us));
    else
      fmt::print("predicted {:.1f} us, {}", us, ceiling.text_at(us));
    if (const auto share = ceiling.share_at(us))
      fmt::print(" = {:.1f} % of the {} of {}", 100 * *share, ceiling.words(), ceiling.text());
    if (line.best.speedup) fmt::print("; {:.2f} x the kernel's default", *line.best.speedup);
    fmt::print("\n  {}; {}", line.best.match, winner.certainty());
    if (!line.best.tied.empty()) fmt::print("; {}", equals_of(line.best));
    if (!winner.trial.warnings.empty()) fmt::print("\n  warning: {}", winner.trial.warnings);
    fmt::print("\n{}", comparison_table(line));
  }
}

std::string comparison_table(const BestLine& line) {
  if (line.best.opponents.empty()) return {};
  const db::Ceiling ceiling = line.ceiling();
  const auto row = [&](const std::string& name, double us, const std::string& rest) {
    return fmt::format("  {:<30} {:>10.1f} us {:>16}  {}\n", name, us, ceiling.text_at(us), rest);
  };
  const db::TrialView& winner = line.best.winner;
  std::string table = row("ours", winner.time_us().value_or(0), winner.settings());
  for (const db::Opponent& opponent : line.best.opponents) {
    const auto& [baseline, comparison] = opponent;
    const std::string name = fmt::format("{} {}", opponent.name(), baseline.is_default ? "default" : "tuned");
    const std::string label = baseline.mode == winner.trial.mode ? "" : "; both " + baseline.mode;
    table +=
        row(name, baseline.median_us.value_or(0),
            fmt::format("ours is {:.3f} x as fast [{:.3f}, {:.3f}]{}; {}{}", comparison.ratio, comparison.low,
                        comparison.high, label, baseline.version, baseline.knobs.empty() ? "" : " " + baseline.knobs));
  }
  if (ceiling.is_known()) table += row(ceiling.words(), ceiling.us(), "");
  return table;
}

}  // namespace warpwright::tuner
