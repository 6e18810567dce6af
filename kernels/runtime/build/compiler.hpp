// The compiling service: programs in, modules on disk out; parallel over worker processes, cached.
#pragma once

#include <atomic>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/build/disk_cache.hpp"
#include "kernels/runtime/client/pool.hpp"

namespace warpwright::worker {

/// What this machine can compile with; a missing compiler is its error text.
struct Toolchain {
  std::string nvrtc_version, nvrtc_fingerprint, nvrtc_error;
  std::vector<int> architectures;                ///< compute capabilities that NVRTC knows
  std::string linker_fingerprint, linker_error;  ///< of what launches from the device
  std::string host_fingerprint, host_functions_fingerprint, host_error;
  std::string program_fingerprint;  ///< of the worker: a failure that another one met is not believed
};

/// Safe for several threads.
class Compiler {
 public:
  Compiler(Pool& pool, const DiskCache& cache, const SourceTree& sources);
  /// Waits for what is under way; what has not begun is not compiled.
  ~Compiler();
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;

  /// Asks a worker once.
  const Toolchain& toolchain();

  /// Compiles all programs for "sm_XX" or "host/sm_XX", several per module, and what their host steps call for the
  /// processor; one result per program, in order. What was asked before or is cached on disk (failures too) is not
  /// compiled again. A program that fails takes no other with it: its module is compiled again one by one. A compiler
  /// that hangs or dies is a failure with that log, if it compiles an empty kernel; where it does not, and where it is
  /// missing or cannot write, the result is a EnvironmentFault, and nothing is kept of it.
  std::vector<std::shared_future<CompiledProgram>> compile(const std::string& target,
                                                           const std::vector<Program>& programs);

  /// The same, of programs without functions of host steps and for a host target, in modules that hold nothing else:
  /// those of compilers that differ in their sources alone can be compared (host/same_program.hpp).
  std::vector<std::shared_future<CompiledProgram>> compile_together(const std::string& target,
                                                                    const std::vector<Program>& programs);

  /// Takes back what was asked for: what nobody else asked for, and has not begun, is not compiled.
  void give_up(const std::string& target, const std::vector<Program>& programs);

  /// What tells a program from every other that would be compiled to something else: its sources, how it is
  /// instantiated and the compiler; known before it is compiled.
  std::string key_of(const std::string& target, const Program& program);

  /// Waits for one program. Within a task of the pool that task's own worker compiles it.
  CompiledProgram compile_one(const std::string& target, const Program& program);

  /// Programs compiled, and found in the cache, since the start.
  int compiled() const { return compiled_; }
  int cached() const { return cached_; }

 private:
  CompiledProgram compile_here(Process& process, const std::string& target, const Program& program);
  /// Without the functions of host steps.
  CompiledProgram compile_alone_here(Process& process, const std::string& target, const Program& program);
  /// Those of the programs that have some, by their place among them.
  std::map<std::size_t, std::shared_future<CompiledProgram>> compile_host_functions(
      const std::string& target, const std::vector<Program>& programs);
  /// Needs the toolchain and the lock.
  bool launches(const Program& program);
  std::string key(const std::string& target, const Program& program);
  /// Asks the pool for one module of the programs at these places.
  void begin_batch(const std::string& target, const std::vector<Program>& programs,
                   const std::vector<std::size_t>& places, std::vector<std::string> keys);
  /// Who begins with a batch takes what is wanted of it, by the places in it.
  std::vector<std::size_t> begin(const std::vector<std::string>& keys);
  /// What the pool does for one module: settles the promises, and keeps the results.
  void compile_task(Process& process, const std::string& target, const std::vector<Program>& batch,
                    const std::vector<std::string>& keys, std::vector<std::promise<CompiledProgram>>& promises);
  std::vector<CompiledProgram> compile_batch(Process& process, const std::string& target,
                                             const std::vector<Program>& programs);
  /// Throws EnvironmentFault, with those words, where not even an empty kernel compiles.
  void blame_machine_or_program(Process& process, const std::string& target, const std::string& log) const;
  /// What the disk has; needs the toolchain.
  std::optional<CompiledProgram> cached_build(const std::string& key) const;
  void keep(const std::string& key, const CompiledProgram& built) const;
  /// Throws EnvironmentFault where there is no compiler for that target.
  void require_compiler(const std::string& target, const Program& program) const;
  /// Forgets that these were asked for.
  void forget(const std::vector<std::string>& keys);

  Pool& pool_;
  const DiskCache& cache_;
  const SourceTree& sources_;
  std::mutex mutex_;
  std::optional<Toolchain> toolchain_;
  std::map<std::string, std::shared_future<CompiledProgram>> asked_;  ///< by key
  std::map<std::string, CompiledProgram> done_;                       ///< likewise, where it is settled
  std::map<std::string, int> wanted_;  ///< how often it was asked for and not given up, by key
  std::set<std::string> running_;      ///< keys that a worker compiles just now
  std::map<std::string, std::string> source_hashes_;
  std::map<std::string, bool> launching_;  ///< by what sources: whether they launch from the device
  std::string host_headers_;               ///< hash of what every module for the host may include
  std::vector<std::shared_future<void>> batches_;
  std::atomic<bool> stopping_ = false;
  std::atomic<int> compiled_ = 0;
  std::atomic<int> cached_ = 0;
};

}  // namespace warpwright::worker
