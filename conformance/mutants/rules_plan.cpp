// Mutation rules for plans: each omits part of a step, anywhere in the plan.
#include <fmt/format.h>

#include <utility>

#include "conformance/mutants/mutation.hpp"

namespace warpwright::conformance {
namespace {

/// Calls `take(step)` for every step, including those within repeats.
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

/// The rule that omits all steps of type `What` for which `name_of` gives the same name.
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

/// A label without the numbers at its end, so that all chunks count as one place.
std::string without_numbers(const std::string& text) {
  return text.substr(0, text.find_last_not_of(" 0123456789") + 1);
}

std::string kind_of(const Step& step) {
  if (std::holds_alternative<Launch>(step.what)) return "launch";
  if (std::holds_alternative<Copy>(step.what)) {
    const Copy& copy = std::get<Copy>(step.what);
    return "copy from " + copy.from + " to " + copy.to;
  }
  return is_host_step(step) ? "host step" : "step";
}

std::string name_of_wait(const Step& step, const std::string& label) {
  return fmt::format("wait for '{}' before a {}", without_numbers(label), kind_of(step));
}

PlanRule drop_waits() {
  return {.name = "drop a wait",
          .places =
              [](const Plan& plan) {
                std::set<std::string> found;
                for_each_step(plan.steps, [&](const Step& step) {
                  for (const std::string& label : step.waits) found.insert(name_of_wait(step, label));
                });
                return found;
              },
          .break_plan =
              [](Plan& plan, const std::string& place) {
                for_each_step(plan.steps, [&](Step& step) {
                  std::erase_if(step.waits,
                                [&](const std::string& label) { return name_of_wait(step, label) == place; });
                });
              }};
}

/// The first steps of the first two streams other than stream 0; null if there are not two. Exchanging all their steps
/// would give the same plan.
template <class PlanType>
auto first_of_two_streams(PlanType& plan) {
  decltype(&plan.steps.front()) first = nullptr, second = nullptr;
  for_each_step(plan.steps, [&](auto& step) {
    if (step.stream == 0 || second != nullptr) return;
    if (first == nullptr)
      first = &step;
    else if (step.stream != first->stream)
      second = &step;
  });
  return std::pair(first, second);
}

PlanRule swap_streams() {
  static const std::string place = "streams of their own for the first steps of two";
  return {.name = "swap two streams",
          .places =
              [](const Plan& plan) {
                return first_of_two_streams(plan).second == nullptr ? std::set<std::string>()
                                                                    : std::set<std::string>{place};
              },
          .break_plan =
              [](Plan& plan, const std::string&) {
                const auto [first, second] = first_of_two_streams(plan);
                if (second != nullptr) std::swap(first->stream, second->stream);
              }};
}

}  // namespace

const std::vector<PlanRule>& plan_rules() {
  static const std::vector<PlanRule> list{
      leave_out<Memset>("skip the initialisation of an output",
                        [](const Memset& memset) { return "memset of " + memset.buffer; }),
      leave_out<ConstantUpload>("skip the upload of a constant",
                                [](const ConstantUpload& upload) { return "upload of " + upload.symbol; }),
      leave_out_swaps(),
      drop_waits(),
      swap_streams(),
      leave_out<Synchronise>("read before the synchronisation",
                             [](const Synchronise&) { return std::string("wait of the host"); })};
  return list;
}

}  // namespace warpwright::conformance
