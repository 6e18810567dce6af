// Words for values that a parent and the worker of a GPU exchange.
#include "kernels/runtime/messages/gpu.hpp"

namespace warpwright::gpu {

std::string timing_mode(bool graph, Clock clock) {
  if (clock == Clock::host) return "clean cold L2, between host synchronisations";
  return graph ? "clean cold L2, graph" : "clean cold L2, stream";
}

}  // namespace warpwright::gpu
