// Where plans run, by name; and the architectures that are known, with their limits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/device.hpp"

namespace warpwright {

/// The architecture that the host target stands in for where nobody names one: it has all that the host has a model of
/// (asynchronous copies, clusters, 227 KB of shared memory), so what runs on any other is judged too.
inline constexpr int default_architecture = 90;

/// The compute capabilities that are known, ascending.
std::vector<int> supported_architectures();

/// "supported are sm_75, sm_80, ...", for messages.
std::string supported_architectures_text();

/// 75 for "sm_75", "75" or "7.5". Throws std::invalid_argument, listing what is supported, for anything else.
int parse_arch(std::string_view text);

/// The limits that all boards of a compute capability share (threads, blocks, registers, shared memory, lanes), in a
/// Device without a model, clock, SM count or memory. Throws std::invalid_argument for an unknown one.
Device architecture_limits(int compute_capability);

/// "host/sm_90": the CPU, standing in for that architecture.
std::string host_target(int compute_capability = default_architecture);

/// Whether it is one of these; else it is a GPU: "sm_90".
bool is_host(std::string_view target);

/// A target as people spell it, as it is stored: "host" is that of the default architecture, "host/9.0" is
/// "host/sm_90". What is no host target comes back as it is. Throws std::invalid_argument as parse_arch.
std::string parse_target(std::string_view text);

/// The compute capability of "sm_90" and "host/sm_90". Throws std::invalid_argument as parse_arch.
int architecture_of(std::string_view target);

/// The device that plans are made for on a host target: its architecture's limits, and few SMs, so that small inputs
/// make persistent grids wrap. Throws std::invalid_argument for any other target.
const Device& host_device(std::string_view target = host_target());

}  // namespace warpwright
