// Runs single steps of a plan in the simulator: launches, memsets, copies, uploads, and host functions.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/model/plan.hpp"
#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/restrict_copies.hpp"
#include "kernels/runtime/simulator/simulate.hpp"
#include "kernels/runtime/simulator/step_order.hpp"

namespace warpwright::simulator {

class StepRunner {
 public:
  /// All arguments must outlive it; the engine has begun the execution. `copies`: null if there are none.
  StepRunner(const Plan& plan, const Module& module, const SimulationOptions& options,
             const HostFunctions* host_functions, Engine& engine, Execution& execution,
             const RestrictCopies* copies = nullptr);

  /// The buffer that each name means at the current step. Throws std::invalid_argument for an unknown name.
  std::size_t number_of(const std::string& name) const;
  BufferNames names;
  int iteration = 0;  ///< of the innermost repeat

  /// The number of findings so far.
  std::size_t findings() const { return execution_.findings.size(); }

  /// Runs a step other than a repeat, or the given part of a copy.
  void run(const Step& step, StepPart part = StepPart::whole);
  /// The bytes that the step touched, by buffer number.
  std::vector<std::pair<std::size_t, Touched>> touched(const Step& step, StepPart part) const;

 private:
  struct Staged {
    std::vector<std::byte> bytes;
    Shadow shadow;
  };

  void number_launches(const std::vector<Step>& steps);
  const Region& region_of(const std::string& name) const;
  Shadow& shadow_of(const std::string& name);
  bool fits(const std::string& step, const std::string& buffer, std::int64_t offset, std::int64_t bytes);
  bool may_write(const std::string& step, const std::string& buffer);
  /// The values of a call's parameters, stored as the function expects them; for a buffer the given address.
  class Arguments;
  template <class AddressOf>
  Arguments arguments_of(const std::vector<Argument>& given, AddressOf address_of) const;

  void run_step(const Launch& launch);
  void run_step(const Memset& set);
  void run_step(const Copy& copy);
  void run_step(const ConstantUpload& upload);
  void run_step(const TextureUpload& upload);
  void run_step(const Prefetch& prefetch);
  void run_step(const HostWork& work);
  void run_step(const Synchronise&) {}
  void run_step(const Repeat& repeat);
  /// The contents of buffers, by name.
  using Contents = std::map<std::string, std::vector<std::byte>>;
  std::optional<Contents> declared_contents(const HostWork& work);
  Contents call_on_copies(const HostWork& work, const Contents& given);
  void copy_back(const HostWork& work, const Contents& left, Contents given);
  void stage(const Copy& copy);
  void unstage(const Copy& copy);

  const Module& module_;
  const SimulationOptions& options_;
  const HostFunctions* host_functions_;  ///< null if there are none
  Engine& engine_;
  Execution& execution_;
  const RestrictCopies* copies_;
  std::map<const Launch*, std::size_t> numbers_;  ///< in the order of launches_of
  std::map<const Copy*, Staged> staged_;
};

}  // namespace warpwright::simulator
