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

/// What limits a problem: the rate of the bus where its data must cross it, else that of arithmetic where it takes
/// longer than memory, else the one that memory reaches when it mostly copies, or mostly reads.
struct Ceiling {
  std::string kind;
  double amount = 0;  ///< bytes or operations that are counted against it
  double rate = 0;    ///< 1e9 of them a second; 0: not measured
  std::string unit = "GB/s";
  double scale = 1;  ///< 1e9 a second as that unit

  std::string text(double giga) const { return fmt::format("{:.4g} {}", giga * scale, unit); }
  std::string text_at(double us) const { return text(amount / us / 1e3); }
};

Ceiling ceiling_of(const BestLine& line) {
  const Work& work = line.work;
  const gpu::Ceilings& measured = line.ceilings;
  if (work.bus_to_device + work.bus_to_host > 0) {
    const double bytes = std::max(work.bus_to_device, work.bus_to_host);
    const double us = bus_floor_us(work, measured.bus);
    return {.kind = "bus", .amount = bytes, .rate = us > 0 ? bytes / us / 1e3 : 0};
  }
  const bool copies = work.bytes_written > work.bytes_read / 2;
  const Ceiling memory{.kind = copies ? "copy" : "read",
                       .amount = work.bytes_read + work.bytes_written,
                       .rate = copies ? measured.copy_gbs : measured.read_gbs};
  const double flops = work.arithmetic == ElementType::f64 ? measured.double_gflops : measured.float_gflops;
  if (!(flops > 0) || work.operations / flops <= memory.amount / std::max(memory.rate, 1e-9)) return memory;
  return {.kind = "arithmetic", .amount = work.operations, .rate = flops, .unit = "TFLOP/s", .scale = 1e-3};
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

void print_best(const std::vector<BestLine>& lines) {
  for (const BestLine& line : lines) {
    const db::TrialView& winner = line.best.winner;
    const double us = winner.time_us().value_or(0);
    const Ceiling ceiling = ceiling_of(line);
    fmt::print("\n{}: {}/{}\n", db::title_of(winner.problem), winner.pattern, winner.settings());
    if (winner.is_measured()) {
      fmt::print("  {:.1f} us [{:.1f}, {:.1f}], {}", us, winner.trial.low_us.value_or(us),
                 winner.trial.high_us.value_or(us), ceiling.text_at(us));
      if (ceiling.rate > 0)
        fmt::print(" = {:.1f} % of the {} ceiling of {}", 100 * ceiling.amount / us / 1e3 / ceiling.rate, ceiling.kind,
                   ceiling.text(ceiling.rate));
    } else {
      fmt::print("  predicted {:.1f} us, {}", us, ceiling.text_at(us));
      if (ceiling.rate > 0)
        fmt::print(" = {:.1f} % of the board's peak {} of {}", 100 * ceiling.amount / us / 1e3 / ceiling.rate,
                   ceiling.kind == "arithmetic" ? "arithmetic" : "bandwidth", ceiling.text(ceiling.rate));
    }
    if (line.best.speedup) fmt::print("; {:.2f} x the kernel's default", *line.best.speedup);
    fmt::print("\n  {}; {}", line.best.match, winner.certainty());
    if (!line.best.tied.empty()) fmt::print("; {}", equals_of(line.best));
    if (!winner.trial.warnings.empty()) fmt::print("\n  warning: {}", winner.trial.warnings);
    fmt::print("\n{}", comparison_table(line));
  }
}

std::string comparison_table(const BestLine& line) {
  if (line.best.opponents.empty()) return {};
  const Ceiling ceiling = ceiling_of(line);
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
  if (ceiling.rate > 0)
    table += row(fmt::format("ceiling ({})", ceiling.kind), ceiling.amount / ceiling.rate / 1e3, "");
  return table;
}

}  // namespace warpwright::tuner
