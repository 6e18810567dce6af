// Targets, that is, what a plan can run on (a GPU or the simulator), and the limits of known architectures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/device.hpp"

namespace warpwright {

/// The architecture that the simulator behaves like if none is named. It has every feature that the simulator models
/// (asynchronous copies, clusters, 227 KB of shared memory), so it can check kernels that need any of them.
inline constexpr int default_architecture = 90;

/// The known compute capabilities, ascending.
std::vector<int> supported_architectures();

/// "supported are sm_75, sm_80, ...", for messages.
std::string supported_architectures_text();

/// 75 for "sm_75", "75" or "7.5". Throws std::invalid_argument, listing what is supported, for anything else.
int parse_arch(std::string_view text);

/// The limits that all boards of a compute capability share: threads, blocks, registers, shared memory, arithmetic
/// units. The Device has no model, clock, number of SMs or memory. Throws std::invalid_argument for an unknown compute
/// capability.
Device architecture_limits(int compute_capability);

/// "host/sm_90": the simulator, behaving like that architecture.
std::string host_target(int compute_capability = default_architecture);

/// Whether the target is the simulator. If not, it is a GPU: "sm_90".
bool is_host(std::string_view target);

/// Converts a target from how people spell it to how it is stored: "host" is the simulator with the default
/// architecture, "host/9.0" is "host/sm_90". Any text that is not the simulator's is returned unchanged. Throws like
/// parse_arch.
std::string parse_target(std::string_view text);

/// The compute capability of "sm_90" or "host/sm_90". Throws like parse_arch.
int architecture_of(std::string_view target);

/// The device that plans are made for in the simulator. It has the limits of its architecture, and few SMs, so that in
/// small problems too a persistent block has several tiles. Throws std::invalid_argument for any other target.
const Device& host_device(std::string_view target = host_target());

}  // namespace warpwright
