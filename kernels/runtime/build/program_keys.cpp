// Hashes everything that a program is compiled from.
#include "kernels/runtime/build/program_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/core/hash.hpp"
#include "kernels/core/target.hpp"
#include "kernels/runtime/build/compile_batches.hpp"

namespace warpwright::worker {

bool is_for_gpu(std::string_view target) {
  return !is_host(target) && target != kHostFunctionsTarget;
}

CompileKind ProgramKeys::kind(const Program& program) {
  const std::scoped_lock lock(mutex_);
  return known_kind(program);
}

CompileKind ProgramKeys::known_kind(const Program& program) {
  const auto [known, is_new] = kinds_.try_emplace(sources_text(program));
  if (is_new) known->second = compile_kind(sources_, program);
  return known->second;
}

std::string ProgramKeys::of(const std::string& target, const Program& program, const Toolchain& toolchain) {
  const std::scoped_lock lock(mutex_);
  auto [hash, is_new] = source_hashes_.try_emplace(sources_text(program));
  if (is_new) {
    std::string text;
    for (const std::string& path : files_of(sources_, program)) text += path + '\0' + sources_.at(path) + '\0';
    hash->second = hash_text(text);
  }
  std::string compiler = toolchain.nvrtc_fingerprint;
  if (is_for_gpu(target) && known_kind(program).launches_from_device) compiler += toolchain.linker_fingerprint;
  if (target == kHostFunctionsTarget) {
    compiler = toolchain.host_functions_fingerprint;
    if (host_calls_.empty())
      for (const std::string& path : includes_of(sources_, std::string(kHostCalls)))
        host_calls_ += hash_text(sources_.at(path));
    compiler += host_calls_;
  }
  if (is_host(target)) {
    compiler = toolchain.host_fingerprint;
    if (host_headers_.empty()) {
      // Every module includes the hooks, and after the program's own files it may include any built-in.
      for (const auto& [path, text] : sources_)
        if (is_cpu_model(path)) host_headers_ += hash_text(path + '\0' + text);
    }
    compiler += host_headers_;
  }
  std::string text =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", target, compiler, program.source, hash->second, program.contraction,
                  fmt::join(program.constants, "\n"), fmt::join(program.entries, "\n"));
  for (const auto& [name, value] : program.definitions) text += "\n#define " + name + " " + value;
  return hash_text(text);
}

}  // namespace warpwright::worker
