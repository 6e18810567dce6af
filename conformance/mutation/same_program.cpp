// Trivial compiler equivalence: comparing the programs of a mutant with those of its kernel.
#include "conformance/mutation/same_program.hpp"

#include <algorithm>
#include <map>

#include "kernels/runtime/host/same_program.hpp"

namespace warpwright::conformance {

void SamePrograms::look_at(const std::vector<Program>& programs) {
  std::vector<Program> fresh;
  for (const Program& program : programs) {
    // What functions of the host do is in another file.
    const bool is_known = std::ranges::find(known_, program, &std::pair<Program, bool>::first) != known_.end();
    if (is_known || std::ranges::find(fresh, program) != fresh.end()) continue;
    if (program.host_functions.empty())
      fresh.push_back(program);
    else
      known_.emplace_back(program, false);
  }
  const auto originals = kernel_.compile_together(target_, fresh);
  const auto mutants = mutant_.compile_together(target_, fresh);
  std::map<std::pair<std::string, std::string>, bool> compared;  // by the paths of both modules
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const Built& original = originals[i].get();
    const Built& mutant = mutants[i].get();
    bool is_same = false;
    if (original.ok && mutant.ok) {
      const auto [known, is_new] = compared.try_emplace({original.module, mutant.module});
      if (is_new) known->second = host::is_same_program(original.module, mutant.module);
      is_same = known->second;
    }
    known_.emplace_back(std::move(fresh[i]), is_same);
  }
}

bool SamePrograms::are_same(const std::vector<Program>& programs) const {
  return std::ranges::all_of(programs, [&](const Program& program) {
    return std::ranges::find(known_, std::pair(program, true)) != known_.end();
  });
}

bool SamePrograms::all_same() const {
  return !known_.empty() && std::ranges::all_of(known_, &std::pair<Program, bool>::second);
}

}  // namespace warpwright::conformance
