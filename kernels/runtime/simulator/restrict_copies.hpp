// Arguments of a launch that are the same memory although a parameter is __restrict__: whether the launch depends on
// it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "kernels/model/plan.hpp"
#include "kernels/runtime/simulator/engine/engine.hpp"
#include "kernels/runtime/simulator/module/module.hpp"

namespace warpwright::simulator {

/// What is accessed through a __restrict__ pointer, and changed, must be accessed through that pointer only: a compiler
/// may order all other accesses as it likes. While a launch runs, such a pointer to memory that other arguments point
/// to as well is to a copy of it, so that each access tells through which argument it was made.
class RestrictCopies {
 public:
  RestrictCopies(const Plan& plan, const Module& module);

  /// The plan's buffers, and behind them those for the copies.
  const std::vector<Buffer>& buffers() const { return buffers_; }
  /// The buffer to which the argument of a launch points instead of its own, which is `number`; `number` itself if
  /// there is none.
  std::size_t number_for(const BufferArgument& argument, std::size_t number) const;

  /// Makes the copies for a launch, of which the buffers have the numbers that `names` says.
  void begin(const Launch& launch, MemoryState& memory) const;
  /// Reports memory that the launch accessed through several arguments, and moves what it stored in copies back.
  void end(const Launch& launch, Engine& engine) const;

 private:
  struct Copied {
    const BufferArgument* argument = nullptr;
    std::size_t of = 0, number = 0;  ///< buffers: the one that is copied, and the copy
    std::string parameter;           ///< how it is named in a message
    std::string others;
  };

  void add(const std::vector<Step>& steps, const Plan& plan, const Module& module);
  void add(const Launch& launch, const Plan& plan, const Module& module);

  std::vector<Buffer> buffers_;
  std::size_t plan_buffers_ = 0;
  std::map<const Launch*, std::vector<Copied>> launches_;
  std::map<const BufferArgument*, const Copied*> by_argument_;
};

}  // namespace warpwright::simulator
