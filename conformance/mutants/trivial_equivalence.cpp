// Trivial compiler equivalence: compares the compiled programs of a mutant with those of its kernel.
#include "conformance/mutants/trivial_equivalence.hpp"

#include <algorithm>
#include <map>

#include "kernels/runtime/simulator/module/compiler_equivalence.hpp"

namespace warpwright::conformance {

namespace {

/// For each program, whether both compilers give the same module; `compile` compiles all programs with one compiler.
template <class Compile>
std::vector<bool> same_modules(worker::Compiler& one, worker::Compiler& other, std::size_t programs, Compile compile) {
  const auto originals = compile(one);
  const auto mutants = compile(other);
  std::map<std::pair<std::string, std::string>, bool> compared;  // by the paths of both modules
  std::vector<bool> same;
  for (std::size_t i = 0; i < programs; ++i) {
    const CompiledProgram& original = originals[i].get();
    const CompiledProgram& mutant = mutants[i].get();
    bool is_same = false;
    if (original.ok && mutant.ok) {
      const auto [known, is_new] = compared.try_emplace({original.module, mutant.module});
      if (is_new) known->second = simulator::is_same_code(original.module, mutant.module);
      is_same = known->second;
    }
    same.push_back(is_same);
  }
  return same;
}

}  // namespace

void SameCode::compare(const std::vector<Program>& programs) {
  std::vector<Program> fresh, on_device;
  for (const Program& program : programs) {
    const bool is_known = std::ranges::find(known_, program, &std::pair<Program, bool>::first) != known_.end();
    if (is_known || std::ranges::find(fresh, program) != fresh.end()) continue;
    fresh.push_back(program);
    on_device.push_back(program);
    on_device.back().host_functions.clear();
  }
  std::vector<bool> same = same_modules(kernel_, mutant_, fresh.size(), [&](worker::Compiler& compiler) {
    return compiler.compile_together(target_, on_device);
  });
  // Functions that host steps call are compiled into a separate module.
  for (std::size_t i = 0; i < fresh.size(); ++i)
    if (same[i] && !fresh[i].host_functions.empty())
      same[i] = same_modules(kernel_, mutant_, 1, [&](worker::Compiler& compiler) {
                  return compiler.compile(std::string(kHostFunctionsTarget), {host_functions_program(fresh[i])});
                }).front();
  for (std::size_t i = 0; i < fresh.size(); ++i) known_.emplace_back(std::move(fresh[i]), same[i]);
}

bool SameCode::are_same(const std::vector<Program>& programs) const {
  return std::ranges::all_of(programs, [&](const Program& program) {
    return std::ranges::find(known_, std::pair(program, true)) != known_.end();
  });
}

bool SameCode::all_same() const {
  return !known_.empty() && std::ranges::all_of(known_, &std::pair<Program, bool>::second);
}

}  // namespace warpwright::conformance
