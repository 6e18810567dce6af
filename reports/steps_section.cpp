// Writes where the time of the best configuration's plan goes: its steps, and how well its streams overlap.
#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

Figure steps_section(const Subject& subject) {
  const db::PlanTimes& times = subject.results.steps;
  charts::PlanTimes plan{.name = subject.summary.kernel};
  bool streams = false;
  for (const db::StepTime& step : times.steps) {
    if (step.kind == "wait") continue;
    streams = streams || step.stream != times.steps.front().stream;
    plan.steps.push_back(
        {.name = step.name.empty() ? step.kind : shortened(step.name.substr(0, step.name.find('<')), 60),
         .kind = kind_of(step.kind),
         .us = step.us});
  }
  if (plan.steps.size() < 2) return {};
  const auto most = std::ranges::max_element(plan.steps, {}, [](const auto& step) { return step.us; });
  std::string finding = fmt::format("Each step timed alone: {} takes most, {} of their sum.", escape(most->name),
                                    percent(*most->us / times.sum_us));
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
