// Mutations: single deliberate known_bugs in device source or in a plan, made by rules.
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

/// One change of one file, or of a plan.
struct Mutation {
  std::string rule;
  std::string family = {};    ///< of the rule
  std::string file;           ///< include path; "plan" for a change of the plan
  int line = 0;               ///< 0 in a plan
  std::string change;         ///< "__syncthreads(); -> (nothing)"
  std::string text;           ///< the file after the change; empty for a change of the plan
  std::string equivalent;     ///< why it behaves as before by construction; empty where it does not
  std::string declared = {};  ///< where a person said so: "kernels/reduce/persistent.mutants:4"
  std::function<void(Plan&)> edit_plan = {};
};

/// What a rule may know of the function it changes.
struct Site {
  const DeviceSource& source;
  const DeviceFunction& function;
  /// Pointer parameters that are bound to an `in` buffer of a problem in some plan.
  std::vector<Parameter> inputs;
};

/// A piece of text in the place of some bytes of the source.
struct Edit {
  std::size_t begin = 0, end = 0;
  std::string replacement;
};

/// What a rule makes of a site: edits, and how people are told.
struct Change {
  std::vector<Edit> edits;
  std::size_t at = 0;  ///< the token whose line is named
  std::string change;
  std::string equivalent;
};

struct Rule {
  std::string name;
  std::string family;  ///< what kind of mistake it is, one word: see mutant_families
  std::function<std::vector<Change>(const Site&)> changes;
};

/// The rules over device source, in the order in which they are reported.
const std::vector<Rule>& rules();

/// A rule over plans, of the family "plan".
struct PlanRule {
  std::string name;
  std::function<std::set<std::string>(const Plan&)> places;  ///< what it can break, as people are told: "memset of out"
  std::function<void(Plan&, const std::string& place)>
      break_plan;  ///< leaves out one of these; nothing where it is not
};

/// The rules over plans, in the order in which they are reported, after those over device source.
const std::vector<PlanRule>& plan_rules();

/// Names of all rules.
std::vector<std::string> rule_names();

/// Everything the rules make of a kernel: of the functions that its entries can reach, in its own files, those of its
/// pattern and of kernels/block, but not the runtime. Nothing of a kernel that solves no problem on `device`, a host
/// target's.
std::vector<Mutation> mutations_of(const Catalogue& catalogue, const Kernel& kernel,
                                   const Device& device = host_device());

}  // namespace warpwright::conformance
