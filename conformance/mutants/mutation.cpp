// Applies the mutation rules to a kernel.
#include "conformance/mutants/mutation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "conformance/checks/case_plan.hpp"
#include "conformance/mutants/equivalences.hpp"
#include "conformance/properties/functions.hpp"
#include "conformance/properties/property.hpp"

namespace warpwright::conformance {

namespace {

/// What a kernel's plans tell about its device functions.
struct Launched {
  std::set<std::string> entries;
  std::map<std::string, std::set<std::size_t>> inputs;  ///< positions of `in` buffers among the arguments of each entry
  std::vector<std::set<std::string>> places;            ///< places of each plan rule, in the order of the rules
};

void add_launches(const Plan& plan, Launched& launched) {
  for (const auto& [launch, times] : launches_of(plan)) {
    const std::string function = function_of(launch.entry);
    launched.entries.insert(function);
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
      if (const auto* argument = std::get_if<BufferArgument>(&launch.arguments[i]);
          argument != nullptr && plan.buffer(argument->buffer).role == Role::in)
        launched.inputs[function].insert(i);
  }
  for (std::size_t i = 0; i < plan_rules().size(); ++i) launched.places[i].merge(plan_rules()[i].places(plan));
}

Launched launched_by(const Catalogue& catalogue, const Kernel& kernel, const Device& device) {
  Launched launched{.entries = {}, .inputs = {}, .places = std::vector<std::set<std::string>>(plan_rules().size())};
  for (const Problem& problem : problems_of(catalogue.pattern(kernel.pattern), kernel, device))
    for (const Point& point : kernel.space.points(surroundings_of(problem, device)))
      if (kernel.refuses(point, problem, device).empty()) add_launches(kernel.plan(point, problem, device), launched);
  return launched;
}

std::vector<Parameter> inputs_of(const DeviceFunction& function, const Launched& launched) {
  std::vector<Parameter> inputs;
  const auto positions = launched.inputs.find(function.name);
  if (!function.is_kernel || positions == launched.inputs.end()) return inputs;
  for (const std::size_t position : positions->second)
    if (position < function.parameters.size() && function.parameters[position].read_only)
      inputs.push_back(function.parameters[position]);
  return inputs;
}

std::string applied(const std::string& text, std::vector<Edit> edits) {
  std::ranges::sort(edits, std::greater{}, &Edit::begin);
  std::string changed = text;
  for (const Edit& edit : edits) {
    std::string by = edit.replacement;
    // Adds the line ends of the replaced text, so that later lines keep their numbers.
    by.append(static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(edit.begin),
                                                  text.begin() + static_cast<std::ptrdiff_t>(edit.end), '\n')),
              '\n');
    changed.replace(edit.begin, edit.end - edit.begin, by);
  }
  return changed;
}

using Declarations = std::vector<Equivalence>;

/// Marks a mutation as equivalent if a declaration says so, unless its rule already did.
void declare(const Declarations& declarations, int occurrence, Mutation& mutation) {
  if (!mutation.equivalent.empty()) return;
  for (const Equivalence& declared : declarations)
    if (declared.file == mutation.file && declared.rule == mutation.rule && declared.change == mutation.change &&
        declared.occurrence == occurrence) {
      mutation.equivalent = declared.reason;
      mutation.declared = declared.place();
    }
}

/// Numbers equal changes by one rule on one line, to tell them apart.
void number_repeats(std::vector<Mutation>& mutations) {
  std::map<std::string, int> seen;
  for (Mutation& mutation : mutations)
    if (const int count =
            ++seen[fmt::format("{}\n{}\n{}\n{}", mutation.rule, mutation.file, mutation.line, mutation.change)];
        count > 1)
      mutation.change += fmt::format(" ({})", count);
}

/// Applies the source rules to the functions that the kernel's entries can reach.
std::vector<Mutation> source_mutations(const Catalogue& catalogue, const Kernel& kernel, const Launched& launched,
                                       const Declarations& declarations) {
  std::vector<DeviceSource> sources;
  for (const std::string& path : includes_of(catalogue.sources(), kernel.source))
    if (path.find("runtime/") == std::string::npos) sources.emplace_back(path, catalogue.sources().at(path));
  const auto reachable = reachable_functions(sources, {launched.entries.begin(), launched.entries.end()});

  std::vector<Mutation> mutations;
  std::map<std::tuple<std::string, std::string, std::string>, int> alike;
  for (const Rule& rule : rules())
    for (const DeviceSource& source : sources)
      for (const DeviceFunction& function : source.functions()) {
        if (!std::ranges::binary_search(reachable, function.name)) continue;
        for (const Change& change : rule.changes({source, function, inputs_of(function, launched)})) {
          Mutation& mutation = mutations.emplace_back(Mutation{.rule = rule.name,
                                                               .family = rule.family,
                                                               .file = source.path(),
                                                               .line = source.tokens()[change.at].line,
                                                               .change = change.change,
                                                               .text = applied(source.text(), change.edits),
                                                               .equivalent = change.equivalent});
          declare(declarations, ++alike[{mutation.file, mutation.rule, mutation.change}], mutation);
        }
      }
  return mutations;
}

/// Applies the plan rules to the kernel's plans.
void add_plan_mutations(const Launched& launched, const Declarations& declarations, std::vector<Mutation>& mutations) {
  for (std::size_t i = 0; i < plan_rules().size(); ++i)
    for (const std::string& place : launched.places[i]) {
      const PlanRule& rule = plan_rules()[i];
      mutations.push_back({.rule = rule.name,
                           .family = "plan",
                           .file = "plan",
                           .line = 0,
                           .change = place + " -> (nothing)",
                           .text = {},
                           .equivalent = {},
                           .edit_plan = [&rule, place](Plan& plan) { rule.break_plan(plan, place); }});
      declare(declarations, 1, mutations.back());
    }
}

}  // namespace

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const Rule& rule : rules()) names.push_back(rule.name);
  for (const PlanRule& rule : plan_rules()) names.push_back(rule.name);
  return names;
}

std::vector<Mutation> mutations_of(const Catalogue& catalogue, const Kernel& kernel, const Device& device) {
  const Launched launched = launched_by(catalogue, kernel, device);
  if (launched.entries.empty()) return {};
  const Declarations declarations = declared_equivalences(catalogue, kernel);
  std::vector<Mutation> mutations = source_mutations(catalogue, kernel, launched, declarations);
  add_plan_mutations(launched, declarations, mutations);
  number_repeats(mutations);
  return mutations;
}

}  // namespace warpwright::conformance
