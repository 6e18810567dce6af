// Groups programs into modules, and collects their source files.
#include "kernels/runtime/build/compile_batches.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace warpwright::worker {

std::vector<std::vector<std::size_t>> batches_of(const std::vector<Program>& programs, std::vector<std::size_t> wanted,
                                                 std::size_t size,
                                                 const std::function<CompileKind(const Program&)>& kind_of) {
  // Sorted so that programs that may share a module are neighbours.
  std::map<std::tuple<const std::vector<std::string>&, const std::string&, const Definitions&>, std::size_t> known;
  std::vector<std::size_t> places(programs.size());
  for (const std::size_t i : wanted) {
    const auto modules = std::tie(programs[i].constants, programs[i].source, programs[i].definitions);
    places[i] = known.try_emplace(modules, known.size()).first->second;
  }
  std::ranges::stable_sort(wanted, {}, [&](std::size_t i) { return places[i]; });
  const auto may_join = [&](const Program& leader, const Program& next) {
    // The address of a constant depends on the other constants in its module; a macro has one value in a module.
    return next.contraction == leader.contraction && next.constants == leader.constants &&
           kind_of(next) == kind_of(leader) && next.definitions == leader.definitions &&
           (next.source == leader.source || leader.definitions.empty());
  };
  std::vector<std::vector<std::size_t>> batches;
  for (const std::size_t i : wanted) {
    const bool joins =
        !batches.empty() && batches.back().size() < size && may_join(programs[batches.back().front()], programs[i]);
    if (!joins) batches.emplace_back();
    batches.back().push_back(i);
  }
  return batches;
}

std::string sources_text(const Program& program) {
  return fmt::format("{} {}", program.source, fmt::join(program.with, " "));
}

std::vector<std::string> files_of(const SourceTree& tree, const Program& program) {
  std::vector<std::string> files = includes_of(tree, program.source);
  for (const std::string& header : program.with)
    for (const std::string& file : includes_of(tree, header))
      if (std::ranges::find(files, file) == files.end()) files.push_back(file);
  return files;
}

SourceTree needed_sources(const SourceTree& tree, const std::vector<Program>& programs) {
  SourceTree needed;
  for (const Program& program : programs)
    for (const std::string& path : files_of(tree, program)) needed[path] = tree.at(path);
  for (const auto& [path, text] : tree)
    if (is_cpu_model(path) || path == kHostCalls)
      for (const std::string& included : includes_of(tree, path)) needed[included] = tree.at(included);
  return needed;
}

}  // namespace warpwright::worker
