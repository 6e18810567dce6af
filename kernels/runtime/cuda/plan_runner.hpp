// A plan bound to loaded modules and device buffers, ready to run on a stream.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/model/plan.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/cuda/gpu_context.hpp"
#include "kernels/runtime/cuda/runnable.hpp"
#include "kernels/runtime/cuda/step_clock.hpp"
#include "kernels/runtime/cuda/texture_object.hpp"
#include "kernels/runtime/host_steps/host_functions.hpp"

namespace warpwright::gpu {

/// Loaded cubins by path.
class ModuleCache {
 public:
  /// Throws DriverError or std::runtime_error if the file cannot be read or loaded.
  CUmodule load(const std::string& path);
  /// Unloads all modules if too many are loaded; no object that uses one may be alive.
  void trim();
  ModuleCache() = default;
  ~ModuleCache();
  ModuleCache(const ModuleCache&) = delete;
  ModuleCache& operator=(const ModuleCache&) = delete;

 private:
  std::map<std::string, CUmodule> modules_;
};

class PlanRunner : public Runnable {
 public:
  /// `addresses` has every buffer that the plan uses. Throws std::runtime_error for an entry or a constant that the
  /// program lacks.
  PlanRunner(const Gpu& gpu, ModuleCache& modules, const Plan& plan, const CompiledProgram& built, Addresses addresses);
  ~PlanRunner() override;
  PlanRunner(const PlanRunner&) = delete;
  PlanRunner& operator=(const PlanRunner&) = delete;

  /// Runs the steps before the first timed one.
  void prepare() override;
  /// Runs the timed steps, and those between them. The host waits only for a plan that is not plain. Throws
  /// NotLaunchable.
  void run_timed() override;
  /// The same, step by step and never as a graph. The clock records the time of each step under its number in
  /// timed_steps().
  void run_timed(StepClock& clock);
  /// Runs the steps after the last timed one.
  void finish() override;

  /// Whether the timed part may follow itself: all other steps set constants, and the host does nothing.
  bool follows_itself() const;
  /// Makes a graph of that many runs of the timed part.
  void capture_runs(int runs);
  void replay_runs() const;

  /// Whether the plan has streams, host steps or buffers on the host.
  bool synchronises() const override { return !is_plain_; }

  /// Whether the timed steps are so many that they are replayed as a graph.
  bool uses_graph() const override { return graph_ != nullptr; }

 private:
  struct Constant {
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
  };

  void find_launches(const CompiledProgram& built);
  void find_constants(const CompiledProgram& built);
  void find_host_functions(const CompiledProgram& built);
  void make_textures();
  const TextureObject& texture_object(const Texture& texture) const;
  void make_streams(const std::vector<Step>& steps);
  CUstream stream_of(int number) const;
  void synchronise_streams() const;
  /// Values that are made for a launch.
  struct Made {
    std::vector<std::uint64_t> words;  ///< of buffers and textures
    std::deque<Bytes> structs;         ///< with pointers
    std::deque<CUtensorMap> maps = {};
  };
  /// The values of a call's parameters as void pointers, also to those in `made`.
  std::vector<void*> arguments_of(const std::vector<Argument>& given, Made& made);
  CUgraphExec captured(int runs);
  void number_steps(const std::vector<Step>& steps);
  /// Without a clock, steps are not timed one by one.
  void run_steps(const std::vector<Step>& steps, StepClock* clock = nullptr);
  void run_step(const Step& step, StepClock* clock);
  void run_step(const Launch& launch, CUstream stream);
  void run_step(const Memset& memset, CUstream stream);
  void run_step(const Copy& copy, CUstream stream);
  void run_step(const ConstantUpload& upload, CUstream stream);
  void run_step(const TextureUpload& upload, CUstream stream);
  void run_step(const Prefetch& prefetch, CUstream stream);
  void run_step(const HostWork& work, CUstream stream);
  static void run_step(const Synchronise&, CUstream) {}  // the host has already waited
  void run_step(const Repeat& repeat, StepClock* clock);

  const Gpu& gpu_;
  Plan plan_;
  Addresses addresses_;  ///< by the names' current meaning in the plan
  int iteration_ = 0;    ///< of the innermost repeat
  CUmodule module_ = nullptr;
  std::map<std::string, CUfunction> functions_;
  std::map<std::string, Constant> constants_;
  std::vector<std::pair<Texture, TextureObject>> textures_;
  std::vector<Step> before_, timed_, after_;
  std::map<const Step*, std::size_t> numbers_;  ///< of timed steps, for the clock
  CUgraphExec graph_ = nullptr, runs_graph_ = nullptr;
  bool is_plain_ = true;
  std::map<int, CUstream> streams_;        ///< all but stream 0
  std::map<std::string, CUevent> events_;  ///< of the labels that are waited for
  std::optional<simulator::HostFunctions> host_functions_;
};

}  // namespace warpwright::gpu
