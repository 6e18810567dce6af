// Applying the rules to a kernel.
#include "conformance/mutation/mutation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "conformance/checker.hpp"
#include "conformance/mutation/equivalences.hpp"
#include "conformance/property.hpp"

namespace warpwright::conformance {

const char* const kNoMemset = "skip the initialisation of an output";

namespace {

/// "finish_partials" of "warpwright::reduce::finish_partials<float, ...>".
std::string function_of(const std::string& entry) {
  const std::string name = entry.substr(0, entry.find('<'));
  const std::size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

/// What the plans of a kernel say about its device functions.
struct Launched {
  std::set<std::string> entries;
  std::map<std::string, std::set<std::size_t>> inputs;  ///< positions of `in` buffers among an entry's arguments
  std::set<std::string> memsets;                        ///< buffers that a step of some plan sets
};

void look_at(const Plan& plan, Launched& launched) {
  for (const Launch& launch : launches_of(plan)) {
    const std::string function = function_of(launch.entry);
    launched.entries.insert(function);
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
      if (const auto* argument = std::get_if<BufferArgument>(&launch.arguments[i]);
          argument != nullptr && plan.buffer(argument->buffer).role == Role::in)
        launched.inputs[function].insert(i);
  }
  for (const Step& step : plan.steps)
    if (const auto* memset = std::get_if<Memset>(&step.what)) launched.memsets.insert(memset->buffer);
}

Launched launched_by(const Catalogue& catalogue, const Kernel& kernel) {
  Launched launched;
  for (const Problem& problem : problems_of(catalogue.pattern(kernel.pattern), kernel, host_device()))
    for (const Point& point : kernel.space.points(surroundings_of(problem, host_device())))
      if (kernel.refuses(point, problem, host_device()).empty())
        look_at(kernel.plan(point, problem, host_device()), launched);
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
    // What follows stays on its line.
    by.append(static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(edit.begin),
                                                  text.begin() + static_cast<std::ptrdiff_t>(edit.end), '\n')),
              '\n');
    changed.replace(edit.begin, edit.end - edit.begin, by);
  }
  return changed;
}

using Declarations = std::vector<Equivalence>;

/// Takes over what is declared of a mutation that is no equivalent by its rule.
void declare(const Declarations& declarations, int occurrence, Mutation& mutation) {
  if (!mutation.equivalent.empty()) return;
  for (const Equivalence& declared : declarations)
    if (declared.file == mutation.file && declared.rule == mutation.rule && declared.change == mutation.change &&
        declared.occurrence == occurrence) {
      mutation.equivalent = declared.reason;
      mutation.declared = declared.place();
    }
}

/// Two changes of one rule on one line are told apart by a number.
void number_repeats(std::vector<Mutation>& mutations) {
  std::map<std::string, int> seen;
  for (Mutation& mutation : mutations)
    if (const int count =
            ++seen[fmt::format("{}\n{}\n{}\n{}", mutation.rule, mutation.file, mutation.line, mutation.change)];
        count > 1)
      mutation.change += fmt::format(" ({})", count);
}

/// What the rules make of the functions that the kernel's entries can reach.
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

}  // namespace

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const Rule& rule : rules()) names.push_back(rule.name);
  names.emplace_back(kNoMemset);
  return names;
}

std::vector<Mutation> mutations_of(const Catalogue& catalogue, const Kernel& kernel) {
  const Launched launched = launched_by(catalogue, kernel);
  const Declarations declarations = declared_equivalences(catalogue, kernel);
  std::vector<Mutation> mutations = source_mutations(catalogue, kernel, launched, declarations);
  for (const std::string& buffer : launched.memsets) {
    mutations.push_back({.rule = kNoMemset,
                         .family = "plan",
                         .file = "plan",
                         .line = 0,
                         .change = fmt::format("memset of {} -> (nothing)", buffer),
                         .text = {},
                         .equivalent = {},
                         .edit_plan = [buffer](Plan& plan) {
                           std::erase_if(plan.steps, [&](const Step& step) {
                             const auto* memset = std::get_if<Memset>(&step.what);
                             return memset != nullptr && memset->buffer == buffer;
                           });
                         }});
    declare(declarations, 1, mutations.back());
  }
  number_repeats(mutations);
  return mutations;
}

}  // namespace warpwright::conformance
