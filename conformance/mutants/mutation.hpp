// Mutations: each injects one fault into device source or into a plan. They are made by rules (mutation operators).
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/mutants/source.hpp"
#include "kernels/core/target.hpp"
#include "kernels/model/catalogue.hpp"

namespace warpwright::conformance {

/// One change of a source file or of a plan.
struct Mutation {
  std::string rule;
  std::string family = {};    ///< the family of the rule
  std::string file;           ///< include path; "plan" for a change of the plan
  int line = 0;               ///< 0 for a plan
  std::string change;         ///< "__syncthreads(); -> (nothing)"
  std::string text;           ///< the file's text after the change; empty for a change of the plan
  std::string equivalent;     ///< reason why behaviour cannot change; empty if it may
  std::string declared = {};  ///< where a developer declared so: "kernels/reduce/persistent.mutants:4"
  std::function<void(Plan&)> edit_plan = {};
};

/// A function that a rule may change, and what is known about it.
struct Site {
  const DeviceSource& source;
  const DeviceFunction& function;
  /// Pointer parameters that some plan binds to an `in` buffer of a problem.
  std::vector<Parameter> inputs;
};

/// Replaces some bytes of the source by `text`.
struct Edit {
  std::size_t begin = 0, end = 0;
  std::string replacement;
};

/// A rule's change at one place: edits and their description.
struct Change {
  std::vector<Edit> edits;
  std::size_t at = 0;  ///< token whose line is reported
  std::string change;
  std::string equivalent;
};

struct Rule {
  std::string name;
  std::string family;  ///< the kind of fault, in one word: see mutant_families
  std::function<std::vector<Change>(const Site&)> changes;
};

/// The rules for device source, in the order in which they are reported.
const std::vector<Rule>& rules();

/// A rule for plans; its family is "plan".
struct PlanRule {
  std::string name;
  std::function<std::set<std::string>(const Plan&)> places;  ///< the places it can change, as shown to people: "memset
                                                             ///< of out"
  std::function<void(Plan&, const std::string& place)>
      break_plan;  ///< changes the plan at one of these places; nothing if the plan has no such place
};

/// The rules for plans, reported after those for device source.
const std::vector<PlanRule>& plan_rules();

/// Names of all rules.
std::vector<std::string> rule_names();

/// All mutations of a kernel. The source rules apply to the functions that its entries can reach, in its own files, its
/// pattern's and kernels/block, but not in the runtime. Empty if the kernel solves no problem on `device`, which is a
/// simulator's.
std::vector<Mutation> mutations_of(const Catalogue& catalogue, const Kernel& kernel,
                                   const Device& device = host_device());

}  // namespace warpwright::conformance
