// Printing for people.
#include "tuner/tune_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpwright::tuner {
namespace {

/// Configurations per second that a run is estimated with: measured on an H200, predicted on two cores.
constexpr double kMeasuredRate = 100;
constexpr double kPredictedRate = 40;

}  // namespace

void print_list(const Catalogue& catalogue, const std::string& glob) {
  const auto kernels = catalogue.matching(glob);
  for (const Pattern& pattern : catalogue.patterns()) {
    std::vector<const Kernel*> own;
    for (const Kernel* kernel : kernels)
      if (kernel->pattern == pattern.name) own.push_back(kernel);
    if (own.empty()) continue;
    std::vector<std::string_view> types;
    for (const ElementType type : pattern.types) types.push_back(name_of(type));
    std::vector<std::string> sizes;
    for (const auto& shape : pattern.tuning_shapes) sizes.push_back(shape_text(shape));
    fmt::print("{}: {}\n  size {} (default {}); type {}", pattern.name, pattern.summary,
               fmt::join(pattern.extents, " x "), fmt::join(sizes, ", "), fmt::join(types, ", "));
    for (const auto& [axis, options] : pattern.variants) fmt::print("; {} {}", axis, fmt::join(options, ", "));
    fmt::print("\n");
    for (const Kernel* kernel : own) {
      fmt::print("  {:<28} {:>5} configurations\n", kernel->full_name(), kernel->space.points().size());
      for (const Axis& axis : kernel->space.axes()) {
        std::vector<std::string> labels;
        for (const std::int64_t value : axis.values) labels.push_back(axis.label(value));
        fmt::print("    {:<20} {}\n", axis.name, fmt::join(labels, " "));
      }
    }
  }
}

void print_dry_run(const Catalogue& catalogue, const std::vector<TuneItem>& items, const Device& device,
                   bool measured) {
  std::size_t total = 0;
  for (const TuneItem& item : items) {
    fmt::print("{}\n", problem_text(item.problem));
    for (const Kernel* kernel : item.kernels) {
      const std::size_t points = kernel->space.points().size();
      total += points;
      fmt::print("  {}: {} configurations, the default's plan:\n", kernel->full_name(), points);
      const std::string plan = describe(kernel->plan(kernel->default_point, item.problem, device));
      std::size_t begin = 0;
      while (begin < plan.size()) {
        const std::size_t end = plan.find('\n', begin);
        fmt::print("    {}\n", plan.substr(begin, end - begin));
        begin = end + 1;
      }
    }
  }
  fmt::print("{} configurations of {} kernels on {} ({}); about {:.0f} s with nothing cached\n", total,
             catalogue.kernels().size(), device.arch(), device.model,
             static_cast<double>(total) / (measured ? kMeasuredRate : kPredictedRate));
}

void print_best(const std::vector<BestLine>& lines) {
  for (const BestLine& line : lines) {
    const db::TrialView& winner = line.best.winner;
    const double us = winner.time_us().value_or(0);
    const double bytes = line.cost.bytes_read + line.cost.bytes_written;
    const double rate = bytes / us / 1e3;
    const std::string variant = winner.problem.variant.empty() ? "" : " " + winner.problem.variant;
    fmt::print("\n{}{} {} {}: {}/{} {}\n", winner.pattern, variant, winner.problem.types, winner.problem.shape,
               winner.pattern, winner.kernel, winner.params);
    if (winner.trial.provenance == "measured") {
      const bool copies = line.cost.bytes_written > line.cost.bytes_read / 2;
      const double ceiling = copies ? line.ceilings.copy_gbs : line.ceilings.read_gbs;
      fmt::print("  {:.1f} us [{:.1f}, {:.1f}], {:.0f} GB/s", us, winner.trial.low_us.value_or(us),
                 winner.trial.high_us.value_or(us), rate);
      if (ceiling > 0)
        fmt::print(" = {:.1f} % of the {} ceiling of {:.0f} GB/s", 100 * rate / ceiling, copies ? "copy" : "read",
                   ceiling);
    } else {
      fmt::print("  predicted {:.1f} us, {:.0f} GB/s", us, rate);
    }
    if (line.best.speedup) fmt::print("; {:.2f} x the kernel's default", *line.best.speedup);
    fmt::print("\n  {}; {}", line.best.match, winner.certainty());
    if (!line.best.tied.empty()) fmt::print("; {} more cannot be told apart from it", line.best.tied.size());
    fmt::print("\n");
  }
}

}  // namespace warpwright::tuner
