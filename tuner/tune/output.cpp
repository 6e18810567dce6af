// Printing for people.
#include "tuner/tune/output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "db/text.hpp"
#include "tuner/floor.hpp"

namespace warpwright::tuner {
namespace {

/// Configurations a second that are assumed where no run is known: measured on an H200 with 16 cores, predicted on two.
constexpr double kMeasuredRate = 100;
constexpr double kPredictedRate = 50;

std::string indented(const std::string& text) {
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines += "    " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return lines;
}

/// What limits a problem: the rate of the bus where its data must cross it, else the one that memory reaches when it
/// mostly copies, or mostly reads.
struct Ceiling {
  std::string kind;
  double bytes = 0;  ///< what is counted against it
  double gbs = 0;    ///< 0: not measured
};

Ceiling ceiling_of(const BestLine& line) {
  const Work& work = line.work;
  const gpu::Ceilings& measured = line.ceilings;
  if (work.bus_to_device + work.bus_to_host > 0) {
    const double bytes = std::max(work.bus_to_device, work.bus_to_host);
    const double us = bus_floor_us(work, measured.bus);
    return {.kind = "bus", .bytes = bytes, .gbs = us > 0 ? bytes / us / 1e3 : 0};
  }
  const bool copies = work.bytes_written > work.bytes_read / 2;
  return {.kind = copies ? "copy" : "read",
          .bytes = work.bytes_read + work.bytes_written,
          .gbs = copies ? measured.copy_gbs : measured.read_gbs};
}

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

void print_list(const Catalogue& catalogue, const std::vector<std::string>& globs, const Device& device) {
  const auto kernels = matching(catalogue, globs);
  for (const Pattern& pattern : catalogue.patterns()) {
    std::vector<const Kernel*> own;
    for (const Kernel* kernel : kernels)
      if (kernel->pattern == pattern.name) own.push_back(kernel);
    if (own.empty()) continue;
    std::vector<std::string> types;
    for (const auto& list : pattern.types) types.push_back(types_text(list));
    std::vector<std::string> sizes;
    for (const auto& shape : pattern.tuning_shapes) sizes.push_back(shape_text(shape));
    std::vector<std::string> data;
    for (const InputKind& kind : pattern.data) data.push_back(kind.name);
    fmt::print("{}: {}\n  size {} (default {}); type {}", pattern.name, pattern.summary,
               fmt::join(pattern.extents, " x "), fmt::join(sizes, ", "), fmt::join(types, ", "));
    for (const auto& [axis, options] : pattern.variants) fmt::print("; {} {}", axis, fmt::join(options, ", "));
    for (const Number& number : pattern.numbers)
      fmt::print("; {} {} to {} (default {})", number.name, number.low, number.high, number.preferred);
    fmt::print("; data {}", fmt::join(data, ", "));
    fmt::print("\n");
    for (const Kernel* kernel : own) {
      fmt::print("  {:<28} {:>5} configurations\n", kernel->full_name(),
                 kernel->space.points({.types = pattern.types.front(), .device = device}).size());
      for (const Axis& axis : kernel->space.axes()) {
        std::vector<std::string> labels;
        for (const std::int64_t value : axis.values) labels.push_back(axis.label(value));
        fmt::print("    {:<20} {}\n", axis.name, fmt::join(labels, " "));
      }
    }
  }
}

Rate expected_rate(const std::filesystem::path& database, const std::string& target, bool measured) {
  if (std::filesystem::exists(database)) {
    const db::Store store(database, db::Mode::read_only);
    if (const auto rate = db::trials_per_second(store, target, measured ? "measured" : "predicted"))
      return {.per_second = *rate, .basis = "as in the newest run in " + database.string()};
  }
  return {.per_second = measured ? kMeasuredRate : kPredictedRate,
          .basis = fmt::format("an assumption: {} holds no complete run on {} of 20 trials or more", database.string(),
                               target)};
}

void print_dry_run(const std::vector<TuneItem>& items, const TuneRequest& request, const Device& device,
                   const Rate& rate) {
  std::size_t total = 0;
  for (const TuneItem& item : items) {
    fmt::print("{}\n", problem_text(item.problem));
    for (const Kernel* kernel : item.kernels) {
      std::size_t points = points_for(*kernel, item.problem, device).size();
      if (request.budget_evaluations > 0)
        points = std::min(points, static_cast<std::size_t>(request.budget_evaluations));
      total += points;
      fmt::print("  {}: {} configurations, the default {}:\n{}", kernel->full_name(), points,
                 kernel->space.text(kernel->default_point),
                 indented(describe(kernel->plan(kernel->default_point, item.problem, device))));
    }
    for (const LeftOut& left : item.left_out) fmt::print("  {}: skipped: {}\n", left.kernel->full_name(), left.reason);
  }
  const double seconds = static_cast<double>(total) / rate.per_second;
  const double budget = request.budget_seconds;
  fmt::print("{} configurations for {} problem(s) on {} ({}), strategy {}\n", total, items.size(), device.arch(),
             device.model, request.strategy_name());
  fmt::print("about {:.0f} s at {:.0f} configurations/s ({}){}\n", seconds, rate.per_second, rate.basis,
             budget > 0 && budget < seconds ? fmt::format("; the budget ends it after {:.0f} s", budget) : "");
}

void print_best(const std::vector<BestLine>& lines) {
  for (const BestLine& line : lines) {
    const db::TrialView& winner = line.best.winner;
    const double us = winner.time_us().value_or(0);
    const Ceiling ceiling = ceiling_of(line);
    const double rate = ceiling.bytes / us / 1e3;
    std::string settings;
    for (const std::string& part : {winner.problem.variant, winner.problem.numbers, "data=" + winner.problem.data})
      if (!part.empty()) settings += (settings.empty() ? "" : ",") + part;
    fmt::print("\n{} {} {} {}: {}/{} {}\n", winner.pattern, settings, winner.problem.types, winner.problem.shape,
               winner.pattern, winner.kernel, db::unqualified(winner.params));
    if (winner.is_measured()) {
      fmt::print("  {:.1f} us [{:.1f}, {:.1f}], {:.0f} GB/s", us, winner.trial.low_us.value_or(us),
                 winner.trial.high_us.value_or(us), rate);
      if (ceiling.gbs > 0)
        fmt::print(" = {:.1f} % of the {} ceiling of {:.0f} GB/s", 100 * rate / ceiling.gbs, ceiling.kind, ceiling.gbs);
    } else {
      fmt::print("  predicted {:.1f} us, {:.0f} GB/s", us, rate);
    }
    if (line.best.speedup) fmt::print("; {:.2f} x the kernel's default", *line.best.speedup);
    fmt::print("\n  {}; {}", line.best.match, winner.certainty());
    if (!line.best.tied.empty()) fmt::print("; {}", equals_of(line.best));
    fmt::print("\n{}", comparison_table(line));
  }
}

std::string comparison_table(const BestLine& line) {
  if (line.best.opponents.empty()) return {};
  const Ceiling ceiling = ceiling_of(line);
  const auto row = [&](const std::string& name, double us, const std::string& rest) {
    return fmt::format("  {:<30} {:>10.1f} us {:>7.0f} GB/s  {}\n", name, us, ceiling.bytes / us / 1e3, rest);
  };
  const db::TrialView& winner = line.best.winner;
  std::string table = row("ours", winner.time_us().value_or(0), winner.kernel + " " + db::unqualified(winner.params));
  for (const db::Opponent& opponent : line.best.opponents) {
    const auto& [baseline, comparison] = opponent;
    const std::string name = fmt::format("{} {}", opponent.name(), baseline.is_default ? "default" : "tuned");
    const std::string label = baseline.mode == winner.trial.mode ? "" : "; both " + baseline.mode;
    table +=
        row(name, baseline.median_us.value_or(0),
            fmt::format("ours is {:.3f} x as fast [{:.3f}, {:.3f}]{}; {}{}", comparison.ratio, comparison.low,
                        comparison.high, label, baseline.version, baseline.knobs.empty() ? "" : " " + baseline.knobs));
  }
  if (ceiling.gbs > 0) table += row(fmt::format("ceiling ({})", ceiling.kind), ceiling.bytes / ceiling.gbs / 1e3, "");
  return table;
}

}  // namespace warpwright::tuner
