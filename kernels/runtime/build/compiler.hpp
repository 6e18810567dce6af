// Compiles programs in worker processes, several at once; results are kept on disk.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/build/compile_queue.hpp"
#include "kernels/runtime/build/disk_cache.hpp"
#include "kernels/runtime/build/program_keys.hpp"
#include "kernels/runtime/client/pool.hpp"
#include "kernels/runtime/messages/toolchain.hpp"

namespace warpwright::worker {

/// Thread-safe.
class Compiler {
 public:
  Compiler(Pool& pool, const DiskCache& cache, const SourceTree& sources);
  /// Waits for programs that a worker compiles at the moment, and drops the others.
  ~Compiler();
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;

  /// Asks a worker once.
  const Toolchain& toolchain();

  /// Compiles the programs for "sm_XX" or "host/sm_XX", several per module, and the functions of their host steps for
  /// the CPU. Returns one result per program, in order. A program that was requested before, or is in the disk cache,
  /// is not compiled again; failures are cached too. If a module fails, its programs are compiled one by one, so that
  /// an error in one does not affect the others. If the compiler hangs or dies but still compiles an empty kernel, the
  /// program has failed. If it does not compile that either, is missing or cannot write, an EnvironmentFault is thrown,
  /// and nothing is cached.
  std::vector<CompileResult> compile(const std::string& target, const std::vector<Program>& programs,
                                     Urgency urgency = Urgency::usual);

  /// The same for a simulator target and programs without functions of host steps, in modules that contain nothing
  /// else. The modules of two compilers that differ only in their sources can be compared
  /// (module/compiler_equivalence.hpp).
  std::vector<CompileResult> compile_together(const std::string& target, const std::vector<Program>& programs);

  /// Withdraws requests: a program that nobody else requests, and that no worker has begun, is not compiled.
  void give_up(const std::string& target, const std::vector<Program>& programs);

  /// The program's cache key: a hash of its sources, its instances and the compiler.
  std::string key_of(const std::string& target, const Program& program);

  /// Waits for one program. If the caller is a task of the pool, its own worker compiles it.
  CompiledProgram compile_one(const std::string& target, const Program& program);

  /// Numbers of programs compiled, and found in the cache, since the start.
  int compiled() const { return compiled_; }
  int cached() const { return cached_; }

 private:
  std::vector<std::string> keys_of(const std::string& target, const std::vector<Program>& programs);
  CompiledProgram compile_here(Process& process, const std::string& target, const Program& program);
  /// Without the functions of host steps.
  CompiledProgram compile_alone_here(Process& process, const std::string& target, const Program& program);
  /// Compiles the functions of host steps, for programs that have some; by the program's index.
  std::map<std::size_t, CompileResult> compile_host_functions(const std::string& target,
                                                              const std::vector<Program>& programs);
  /// Has the pool compile one module of the programs with these indices; `keys` are those of all programs.
  void queue_batch(const std::string& target, const std::vector<Program>& programs,
                   const std::vector<std::size_t>& places, const std::vector<std::string>& keys,
                   Urgency urgency = Urgency::usual);
  /// Compiles one module, and caches the results under these keys.
  std::vector<CompiledProgram> compile_and_keep(Process& process, const std::string& target,
                                                const std::vector<Program>& programs,
                                                const std::vector<std::string>& keys);
  bool are_slow(const std::vector<Program>& programs);
  void note_time(const std::vector<Program>& programs, std::chrono::steady_clock::duration time);
  std::vector<CompiledProgram> compile_batch(Process& process, const std::string& target,
                                             const std::vector<Program>& programs);
  /// Throws EnvironmentFault, with that text, if not even an empty kernel compiles.
  void check_environment_of(Process& process, const std::string& target, const std::string& log) const;
  /// The result in the disk cache; needs the toolchain.
  std::optional<CompiledProgram> find_cached(const std::string& key) const;
  void keep(const std::string& key, const CompiledProgram& built) const;
  /// Throws EnvironmentFault if there is no compiler for that target; needs the toolchain.
  void require_compiler(const std::string& target, const Program& program);

  Pool& pool_;
  const DiskCache& cache_;
  const SourceTree& sources_;
  ProgramKeys keys_;
  CompileQueue queue_;
  std::mutex mutex_;
  std::optional<Toolchain> toolchain_;  ///< set once, under the lock
  std::set<std::string> slow_;          ///< sources of programs that took long for a GPU; under the lock
  std::atomic<int> compiled_ = 0;
  std::atomic<int> cached_ = 0;
};

}  // namespace warpwright::worker
