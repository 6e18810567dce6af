// Runs the steps of a plan in the simulator.
#include "kernels/runtime/simulator/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

#include "kernels/model/signature.hpp"
#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/restrict_copies.hpp"
#include "kernels/runtime/simulator/step_order.hpp"
#include "kernels/runtime/simulator/step_races.hpp"
#include "kernels/runtime/simulator/step_runner.hpp"

namespace warpwright::simulator {
namespace {

constexpr int scratch_poison = 0xff;

class PlanRun {
 public:
  PlanRun(const Plan& plan, const Module& module, std::span<std::vector<std::byte>> buffers,
          const SimulationOptions& options, const HostFunctions* host_functions)
      : plan_(plan),
        module_(module),
        buffers_(buffers),
        options_(options),
        host_functions_(host_functions),
        engine_(Engine::of_this_thread()) {
    // Accesses are counted by buffer.
    if (options.check_races && !options.count_accesses) copies_.emplace(plan, module);
    if (buffers.size() != plan.buffers.size()) {
      throw std::invalid_argument(fmt::format("{} buffers for a plan of {}", buffers.size(), plan.buffers.size()));
    }
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const Buffer& buffer = plan.buffers[i];
      const bool optional = buffer.role == Role::scratch && buffers[i].empty();
      if (buffer.count < 0 || (!optional && buffers[i].size() != static_cast<std::size_t>(buffer.bytes()))) {
        throw std::invalid_argument(
            fmt::format("buffer '{}' has {} bytes, not the plan's {}", buffer.name, buffers[i].size(), buffer.bytes()));
      }
    }
  }

  /// `again`: the module's variables are as the run before left them.
  Execution run(bool again = false) {
    Execution execution = run_with(again, again);
    // Blocks that all fit on one multiprocessor may wait for each other.
    if (engine_.needs_held_grids() && taken_.empty()) execution = run_with(again, true);
    copy_out();
    return execution;
  }

 private:
  Execution run_with(bool again, bool holds_small_grids) {
    Execution execution;
    engine_.hold_small_grids(holds_small_grids);
    engine_.memory().global.place(copies_ ? copies_->buffers() : plan_.buffers, options_.schedule.seed);
    engine_.begin(module_, options_, execution, again);
    copy_in();
    StepRunner runner(plan_, module_, options_, host_functions_, engine_, execution, copies_ ? &*copies_ : nullptr);
    runner_ = &runner;
    if (std::string wrong = argument_mismatch(plan_, std::bind_front(&PlanRun::signature, this)); !wrong.empty())
      engine_.report(FindingKind::wrong_arguments, "", std::move(wrong));
    else if (plan_.is_plain())
      run_steps(plan_.steps);
    else
      run_in_streams();
    if (!engine_.stopped()) {
      if (options_.check_initialised) look_for_locals();
      look_for_stale_scratch();
    }
    engine_.end();
    return execution;
  }

  const Signature* signature(const std::string& name) const {
    const Signature* const of_entry = module_.signature(name);
    return of_entry != nullptr || host_functions_ == nullptr ? of_entry : host_functions_->signature(name);
  }

  void copy_in() {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const Region& region = engine_.memory().global.region(i);
      const Buffer& buffer = plan_.buffers[i];
      const bool defined = buffer.is_input() || buffer.self_restoring;
      engine_.memory().shadows[i].set_all_written(defined || !options_.check_initialised);
      if (buffer.role == Role::scratch) {
        std::memset(region.data(), buffer.self_restoring ? 0 : options_.poison.value_or(scratch_poison),
                    region.bytes());
      } else if (region.bytes() != 0) {
        std::memcpy(region.data(), buffers_[i].data(), region.bytes());
      }
    }
  }

  /// Only floats are searched: any integer may be right, but a float with that bit pattern, -1.7e38, comes from an
  /// input or a local.
  void look_for_locals() {
    look_for(uninitialised_byte, "the value of a local that nobody initialised");
    if (const auto poison = engine_.given_poison())
      look_for(*poison, "the poison of a shuffle that reads a lane which takes no part");
  }

  void look_for(unsigned char byte, std::string_view what) {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const Buffer& buffer = plan_.buffers[i];
      const bool is_float = buffer.type == ElementType::f32 || buffer.type == ElementType::f64;
      if (!is_float || !buffer.is_output()) continue;
      const Region& region = engine_.memory().global.region(i);
      const std::size_t at = find_pattern({region.data(), region.bytes()}, size_of(buffer.type), byte);
      if (at == region.bytes() || was_given(byte)) continue;
      engine_.report_at(FindingKind::uninitialised_local, region, at,
                        fmt::format("byte {} of buffer '{}' was given {}", at, region.name, what));
    }
  }

  void look_for_stale_scratch() {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      if (!plan_.buffers[i].self_restoring) continue;
      const Region& region = engine_.memory().global.region(i);
      const std::byte* const end = region.data() + region.bytes();
      const std::byte* const stale = std::find_if(region.data(), region.data() + region.bytes(),
                                                  [](std::byte byte) { return byte != std::byte{0}; });
      if (stale == end) continue;
      const auto at = static_cast<std::size_t>(stale - region.data());
      engine_.report_at(FindingKind::scratch_not_restored, region, at,
                        fmt::format("byte {} of the self-restoring scratch '{}' is {:#x}, not 0, after the run", at,
                                    region.name, std::to_integer<unsigned>(*stale)));
    }
  }

  /// The offset of the first element whose bytes all have that value; the size if there is none.
  static std::size_t find_pattern(std::span<const std::byte> data, std::size_t element, unsigned char byte) {
    std::array<std::byte, 8> pattern;
    pattern.fill(std::byte{byte});
    for (std::size_t at = 0; at + element <= data.size(); at += element) {
      if (std::memcmp(&data[at], pattern.data(), element) == 0) return at;
    }
    return data.size();
  }

  /// Whether an input buffer had such an element before the run.
  bool was_given(unsigned char byte) const {
    for (const auto& given : buffers_) {
      if (find_pattern(given, sizeof(float), byte) < given.size() / sizeof(float) * sizeof(float)) return true;
    }
    return false;
  }

  void copy_out() {
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      if (!taken_.contains(i)) take(i);
  }

  void take(std::size_t number) {
    const Region& region = engine_.memory().global.region(number);
    if (!buffers_[number].empty()) std::memcpy(buffers_[number].data(), region.data(), region.bytes());
  }

  void run_steps(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (engine_.stopped()) return;
      if (const auto* repeat = std::get_if<Repeat>(&step.what))
        run_repeat(*repeat);
      else
        runner_->run(step);
    }
  }

  void run_repeat(const Repeat& repeat) {
    const BufferNames outside = runner_->names;
    const int outer = runner_->iteration;
    for (std::int64_t i = 0; i < repeat.times && !engine_.stopped(); ++i) {
      runner_->iteration = static_cast<int>(i);
      run_steps(repeat.steps);
      for (const auto& [first, second] : repeat.swaps) std::swap(runner_->names.at(first), runner_->names.at(second));
    }
    runner_->names = outside;
    runner_->iteration = outer;
  }

  /// Runs the steps in a random order that the plan allows. Two unordered steps that touch the same bytes are a race.
  void run_in_streams() {
    const std::vector<OrderedStep> steps = ordered_steps(plan_);
    StepRaces races(steps, engine_.memory().shadow_of_variable(engine_.memory().variables().count()));
    for (const std::size_t i : drawn_order(steps, options_.schedule.seed)) {
      if (engine_.stopped()) return;
      const OrderedStep& one = steps[i];
      if (one.step == nullptr) {
        read_by_caller(races, steps, i);
        continue;
      }
      runner_->names = *one.names;
      runner_->iteration = one.iteration;
      runner_->run(*one.step, one.part);
      if (!options_.check_races || engine_.stopped()) continue;
      for (const auto& [buffer, touched] : runner_->touched(*one.step, one.part))
        check_touched(races, steps, i, buffer, touched);
    }
  }

  void read_by_caller(StepRaces& races, const std::vector<OrderedStep>& steps, std::size_t place) {
    const bool on_host = steps[place].part == StepPart::host_outputs;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const Buffer& buffer = plan_.buffers[i];
      if (!buffer.is_output() || on_host == (buffer.where == Where::device)) continue;
      take(i);
      taken_.insert(i);
      if (options_.check_races)
        check_touched(races, steps, place, i,
                      {.begin = 0, .end = static_cast<std::size_t>(buffer.bytes()), .writes = false});
    }
  }

  void check_touched(StepRaces& races, const std::vector<OrderedStep>& steps, std::size_t place, std::size_t buffer,
                     const Touched& touched) {
    const auto conflict = races.touch(place, buffer, touched);
    const auto most = static_cast<std::size_t>(std::max(options_.limits.findings, 1));
    if (!conflict || runner_->findings() >= most) return;
    const OrderedStep& one = steps[place];
    const OrderedStep& other = steps[conflict->other];
    if (!reported_.emplace(std::minmax(one.step, other.step)).second) return;
    engine_.report(
        FindingKind::race, "",
        fmt::format("nothing orders {}, which {} byte {} of {}, and {}, which {} it: a wait is missing", describe(one),
                    touched.writes ? "writes" : "reads", conflict->byte, engine_.memory().name_of_shadow(buffer),
                    describe(other), conflict->other_writes ? "writes" : "reads"));
  }

  const Plan& plan_;
  const Module& module_;
  std::span<std::vector<std::byte>> buffers_;
  const SimulationOptions& options_;
  const HostFunctions* host_functions_;
  Engine& engine_;
  std::optional<RestrictCopies> copies_;
  StepRunner* runner_ = nullptr;
  std::set<std::size_t> taken_;                             ///< buffers that the caller has read already
  std::set<std::pair<const Step*, const Step*>> reported_;  ///< pairs of unordered steps
};

/// A run of the plan. The seed may ask for a load that returns what is stored later.
Execution run_plan(const Plan& plan, const Module& module, std::span<std::vector<std::byte>> buffers,
                   const SimulationOptions& options, const HostFunctions* host_functions) {
  constexpr std::uint64_t one_in = 4;
  const Schedule& schedule = options.schedule;
  const auto run = [&](std::span<std::vector<std::byte>> own) {
    return PlanRun(plan, module, own, options, host_functions).run();
  };
  const bool looks = options.check_races && !options.count_accesses && schedule.stale_loads > 0 && schedule.seed != 0 &&
                     Random(schedule.seed).below(one_in) == 0;
  if (!looks) return run(buffers);
  EarlyLoads& early = Engine::of_this_thread().memory().early;
  const std::vector<std::vector<std::byte>> before(buffers.begin(), buffers.end());
  early.look(schedule.seed);
  Execution execution = run(buffers);
  const auto found = early.found();
  early.end();
  if (!found || !execution.clean()) return execution;
  std::vector<std::vector<std::byte>> after = before;
  early.expect(*found);
  Execution second = run(after);
  const bool is_fulfilled = early.is_fulfilled();
  early.end();
  if (is_fulfilled) {
    std::ranges::move(after, buffers.begin());
    return second;
  }
  if (module.memory().is_constant()) return execution;
  // The variables of the module are to be those of the run that counts.
  std::ranges::copy(before, buffers.begin());
  return run(buffers);
}

}  // namespace

Execution simulate(const Plan& plan, const Module& module, std::span<std::vector<std::byte>> buffers,
                   const SimulationOptions& options, const HostFunctions* host_functions) {
  std::vector<std::vector<std::byte>> given;
  if (!module.memory().is_constant()) given.assign(buffers.begin(), buffers.end());
  Execution execution = run_plan(plan, module, buffers, options, host_functions);
  if (!execution.clean() || !module.memory().is_changed()) return execution;
  SimulationOptions later = options;
  later.count_accesses = false;
  Execution second = PlanRun(plan, module, given, later, host_functions).run(true);
  for (Finding& finding : second.findings) {
    if (finding.kind != FindingKind::kept_state)
      finding.message += ", in a second run: the first one left other values in variables of the module";
    execution.findings.push_back(std::move(finding));
  }
  std::ranges::move(second.tolerated, std::back_inserter(execution.tolerated));
  std::ranges::move(second.hints, std::back_inserter(execution.hints));
  execution.hint_count += second.hint_count;
  execution.second_buffers = std::move(given);
  return execution;
}

}  // namespace warpwright::simulator
