// Rules over plans: something that a step does is left out, wherever in the plan it stands.
#include <fmt/format.h>

#include "conformance/mutation/mutation.hpp"

namespace warpwright::conformance {
namespace {

/// Calls `take(step)` for every step, those within repeats too.
template <class Steps, class Take>
void for_each_step(Steps& steps, const Take& take) {
  for (auto& step : steps) {
    take(step);
    if (auto* repeat = std::get_if<Repeat>(&step.what)) for_each_step(repeat->steps, take);
  }
}

template <class Doomed>
void erase_steps(std::vector<Step>& steps, const Doomed& doomed) {
  std::erase_if(steps, doomed);
  for (Step& step : steps)
    if (auto* repeat = std::get_if<Repeat>(&step.what)) erase_steps(repeat->steps, doomed);
}

/// The rule that leaves out all steps of the kind `What` that `name_of` tells alike.
template <class What>
PlanRule leave_out(const std::string& rule, std::string (*name_of)(const What&)) {
  return {.name = rule,
          .places =
              [name_of](const Plan& plan) {
                std::set<std::string> found;
                for_each_step(plan.steps, [&](const Step& step) {
                  if (const auto* what = std::get_if<What>(&step.what)) found.insert(name_of(*what));
                });
                return found;
              },
          .break_plan =
              [name_of](Plan& plan, const std::string& place) {
                erase_steps(plan.steps, [&](const Step& step) {
                  const auto* what = std::get_if<What>(&step.what);
                  return what != nullptr && name_of(*what) == place;
                });
              }};
}

using Swap = std::pair<std::string, std::string>;

std::string name_of_swap(const Swap& swap) {
  return fmt::format("swap of {} and {}", swap.first, swap.second);
}

PlanRule leave_out_swaps() {
  return {.name = "skip a swap of buffers",
          .places =
              [](const Plan& plan) {
                std::set<std::string> found;
                for_each_step(plan.steps, [&](const Step& step) {
                  if (const auto* repeat = std::get_if<Repeat>(&step.what))
                    for (const Swap& swap : repeat->swaps) found.insert(name_of_swap(swap));
                });
                return found;
              },
          .break_plan =
              [](Plan& plan, const std::string& place) {
                for_each_step(plan.steps, [&](Step& step) {
                  if (auto* repeat = std::get_if<Repeat>(&step.what))
                    std::erase_if(repeat->swaps, [&](const Swap& swap) { return name_of_swap(swap) == place; });
                });
              }};
}

}  // namespace

const std::vector<PlanRule>& plan_rules() {
  static const std::vector<PlanRule> list{
      leave_out<Memset>("skip the initialisation of an output",
                        [](const Memset& memset) { return "memset of " + memset.buffer; }),
      leave_out<ConstantUpload>("skip the upload of a constant",
                                [](const ConstantUpload& upload) { return "upload of " + upload.symbol; }),
      leave_out_swaps()};
  return list;
}

}  // namespace warpwright::conformance
