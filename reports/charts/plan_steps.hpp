// Steps of a plan: each step's share of the time, and how well the streams overlap.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpwright::reports::charts {

enum class StepKind { kernel, copy, fill };  // a launch; a copy over the bus or in memory; a memset

struct PlanStep {
  std::string name{};  // "build_lists", "copy to the device"
  StepKind kind = StepKind::kernel;
  std::optional<double> us{};  // over all its repetitions; empty: not timed
};

struct PlanTimes {
  std::string name{};  // of the kernel
  std::vector<PlanStep> steps{};
};

// A <div class="steps">: a row for each plan, its steps stacked as shares of their sum, with a list of names and times
// below. Steps under 3 % are drawn without a label. For a plan with a step that was not timed there is a sentence,
// because its shares are not known.
std::string plan_steps(const std::vector<PlanTimes>&);

// The streams of one plan. `serial_us` is its time with all steps one after another. `ideal_us` is its time if
// everything overlapped: that of the busiest of copies to the device, copies to the host, and kernels.
struct StreamOverlap {
  std::string name{};
  std::optional<double> serial_us{};
  std::optional<double> measured_us{};
  std::optional<double> ideal_us{};
};

// A <div class="overlap">: for each plan a bar of its time from 0, with the ideal as a line and the serial time as a
// faint bar. All bars have one axis.
std::string stream_overlap(const std::vector<StreamOverlap>&);

}  // namespace warpwright::reports::charts
