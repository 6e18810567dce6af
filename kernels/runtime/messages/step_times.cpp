// The steps of a timed part: their names, and medians over runs.
#include "kernels/runtime/messages/step_times.hpp"

#include <numeric>
#include <span>

#include "kernels/core/statistics.hpp"

namespace warpwright::gpu {
namespace {

/// Fills in the kind and the name of a step.
struct StepNamer {
  const Plan& plan;
  StepTime& to;

  void set(const char* kind, std::string name) const {
    to.kind = kind;
    to.name = std::move(name);
  }

  void operator()(const Launch& launch) const { set("launch", launch.entry); }
  void operator()(const Memset& memset) const { set("memset", memset.buffer); }
  void operator()(const Copy& copy) const {
    const auto is_on_cpu = [&](const std::string& buffer) {
      const Where where = plan.buffer(buffer).where;
      return where == Where::pageable || where == Where::pinned;
    };
    const bool from_cpu = is_on_cpu(copy.from);
    const bool to_cpu = is_on_cpu(copy.to);
    set(from_cpu == to_cpu ? "copy" : to_cpu ? "copy to CPU" : "copy to GPU", copy.from + " to " + copy.to);
  }
  void operator()(const ConstantUpload& upload) const { set("constant", upload.symbol); }
  void operator()(const TextureUpload& upload) const { set("texture", upload.texture.buffer); }
  void operator()(const Prefetch& prefetch) const { set("prefetch", prefetch.buffer); }
  void operator()(const HostWork& work) const { set("host", work.function); }
  void operator()(const Synchronise&) const { set("wait", ""); }
  void operator()(const Repeat&) const {}
};

void add_steps(const Plan& plan, std::span<const Step> steps, std::int64_t times, std::vector<StepTime>& to) {
  for (const Step& step : steps) {
    if (const auto* repeat = std::get_if<Repeat>(&step.what)) {
      add_steps(plan, repeat->steps, times * repeat->times, to);
      continue;
    }
    StepTime& added = to.emplace_back();
    added.stream = step.stream;
    added.times = times;
    std::visit(StepNamer{plan, added}, step.what);
  }
}

}  // namespace

std::vector<StepTime> timed_steps(const Plan& plan) {
  std::vector<StepTime> steps;
  add_steps(plan, timed_part(plan), 1, steps);
  return steps;
}

std::vector<StepTime> untimed_steps(const Plan& plan) {
  const std::span<const Step> all = plan.steps;
  const std::span<const Step> timed = timed_part(plan);
  const auto before = static_cast<std::size_t>(timed.data() - all.data());
  std::vector<StepTime> steps;
  add_steps(plan, all.first(before), 1, steps);
  add_steps(plan, all.subspan(before + timed.size()), 1, steps);
  return steps;
}

std::int64_t executions_of(const std::vector<StepTime>& steps) {
  return std::accumulate(steps.begin(), steps.end(), std::int64_t{0},
                         [](std::int64_t sum, const StepTime& step) { return sum + step.times; });
}

std::vector<StepTime> median_of(const std::vector<std::vector<StepTime>>& runs) {
  if (runs.empty()) return {};
  std::vector<StepTime> medians = runs.front();
  for (std::size_t i = 0; i < medians.size(); ++i)
    for (double StepTime::*const time : {&StepTime::start_us, &StepTime::end_us, &StepTime::us}) {
      std::vector<double> times;
      for (const auto& run : runs) times.push_back(run[i].*time);
      medians[i].*time = median(times);
    }
  return medians;
}

}  // namespace warpwright::gpu
