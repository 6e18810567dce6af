// Programs that were requested, by key: each is queued, being compiled, or settled.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/model/program.hpp"

namespace warpwright::worker {

/// The result of a request. A program that calls functions in host steps has a second module, with those.
class CompileResult {
 public:
  CompileResult() = default;
  CompileResult(std::shared_future<CompiledProgram> own) : own_(std::move(own)) {}
  CompileResult(const CompileResult& own, const CompileResult& functions)
      : own_(own.own_), functions_(functions.own_) {}

  bool is_ready() const { return wait_for(std::chrono::milliseconds(0)); }
  /// Whether it is ready after at most this time.
  bool wait_for(std::chrono::milliseconds most) const;
  /// Waits. If compiling the functions fails, the program has failed.
  CompiledProgram get() const;

 private:
  std::shared_future<CompiledProgram> own_, functions_;
};

/// The program with the module of the functions of its host steps.
CompiledProgram with_host_functions(CompiledProgram program, const CompiledProgram& functions);

/// A failure of the compiler; a transient one may not happen again.
CompiledProgram failed_program(std::string log, bool transient);

/// Safe for several threads; one lock guards everything.
class CompileQueue {
 public:
  struct Asked {
    CompileResult result;
    bool is_new = false;  ///< nobody had requested it before
  };

  bool contains(const std::string& key);

  /// Requests these programs once more, all at once. A new one with a known result is settled with it. The caller must
  /// get any other new one compiled.
  std::vector<Asked> ask(const std::vector<std::string>& keys,
                         const std::vector<std::optional<CompiledProgram>>& known);

  /// Settles `key` with that result, unless somebody has requested it before.
  void add_alias(const std::string& key, const CompileResult& result);

  /// Withdraws one request for each. A program without requests that no worker has begun is not compiled.
  void give_up(const std::vector<std::string>& keys);

  /// Begins a batch: returns the indices of the programs that the caller must compile. A withdrawn program gets a
  /// transient failure. One that another worker has begun or settled is left out.
  std::vector<std::size_t> begin(const std::vector<std::string>& keys);

  /// Begins one program, ahead of the queue. If `is_new`, the caller must compile it. Otherwise a worker has begun or
  /// settled it, so that the caller may wait for the result.
  Asked begin_now(const std::string& key);

  /// Settles these with the programs that `make` returns. If it throws, waiting callers get the exception, and the next
  /// request starts again.
  void settle(const std::vector<std::string>& keys, const std::function<std::vector<CompiledProgram>()>& make);

  /// A batch to be waited for at the end.
  void add_batch(std::shared_future<void> batch);
  /// Begins nothing more, and waits for programs that are being compiled.
  void stop();

 private:
  struct Entry {
    std::promise<CompiledProgram> promise;
    CompileResult result = {};
    int wanted = 0;         ///< requests that were not withdrawn
    bool is_begun = false;  ///< a worker compiles it, or it is settled
    bool is_alias = false;  ///< the result is that of another key
  };
  /// The caller must hold the lock.
  Asked find_or_make(const std::string& key);

  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::vector<std::shared_future<void>> batches_;
  bool is_stopping_ = false;
};

}  // namespace warpwright::worker
