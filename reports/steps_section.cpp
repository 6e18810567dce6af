// Writes the times of the steps of the best configuration's plan, and how well its streams overlap.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/text.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/plan_steps.hpp"
#include "reports/html.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

charts::StepKind kind_of(const std::string& kind) {
  if (kind == "memset") return charts::StepKind::fill;
  return kind.starts_with("copy") || kind == "prefetch" ? charts::StepKind::copy : charts::StepKind::kernel;
}

// "onesweep", "in (copy to GPU)".
std::string name_of(const db::StepTime& step) {
  const std::string name = shortened(unqualified(step.name.substr(0, step.name.find('<'))), 60);
  if (name.empty()) return step.kind;
  return step.kind == "launch" ? name : fmt::format("{} ({})", name, step.kind);
}

// The steps of a plan; steps with one name are united, with their number: "onesweep \u00D7 4".
std::vector<charts::PlanStep> named_steps(const db::PlanTimes& times) {
  std::vector<charts::PlanStep> steps;
  std::vector<std::int64_t> counts;
  for (const db::StepTime& step : times.steps) {
    if (step.kind == "wait") continue;
    const std::string name = name_of(step);
    const auto known = std::ranges::find(steps, name, &charts::PlanStep::name);
    const auto at = static_cast<std::size_t>(known - steps.begin());
    if (known == steps.end()) {
      steps.push_back({.name = name, .kind = kind_of(step.kind), .us = 0});
      counts.push_back(0);
    }
    *steps[at].us += step.us;
    counts[at] += step.times;
  }
  for (std::size_t at = 0; at < steps.size(); ++at)
    if (counts[at] > 1) steps[at].name += fmt::format(" \u00D7 {}", counts[at]);
  return steps;
}

}  // namespace

Figure steps_section(const Subject& subject) {
  const db::PlanTimes& times = subject.results.steps;
  const charts::PlanTimes plan{.name = subject.summary.kernel, .steps = named_steps(times)};
  if (plan.steps.size() < 2) return {};
  const bool streams = std::ranges::any_of(times.steps, [&](const db::StepTime& step) {
    return step.kind != "wait" && step.stream != times.steps.front().stream;
  });
  const auto most = std::ranges::max_element(plan.steps, {}, [](const auto& step) { return step.us; });
  std::string finding = fmt::format("{}: {} takes most, {} of their sum.",
                                    subject.results.predicted() ? "Predicted, launches only"
                                    : streams                   ? "Each step without its wait for others of its kind"
                                                                : "Each step timed alone",
                                    escape(most->name), percent(*most->us / times.sum_us));
  std::string body = charts::plan_steps({plan});
  if (streams) {
    finding += fmt::format(" Overlapping saves {} of what it could save at best.", percent(times.overlap()));
    body += charts::stream_overlap(
        {{.name = plan.name, .serial_us = times.sum_us, .measured_us = times.span_us, .ideal_us = times.ideal_us}});
  }
  return Figure{
      .id = "steps", .title = "Steps", .provenance = subject.results.provenance, .finding = finding, .body = body};
}

}  // namespace warpwright::reports
