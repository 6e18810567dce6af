// What parent and worker send each other, as JSON: devices, bounds, candidates, findings, byte buffers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "kernels/core/device.hpp"
#include "kernels/model/pattern.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/messages/gpu.hpp"
#include "kernels/runtime/simulator/results/execution.hpp"

namespace warpwright {

void to_json(nlohmann::json& json, const Device& device);
void from_json(const nlohmann::json& json, Device& device);
void to_json(nlohmann::json& json, const Bound& bound);
void from_json(const nlohmann::json& json, Bound& bound);
void to_json(nlohmann::json& json, const Program& program);
void from_json(const nlohmann::json& json, Program& program);

namespace gpu {
void to_json(nlohmann::json& json, const GpuInfo& info);
void from_json(const nlohmann::json& json, GpuInfo& info);
void to_json(nlohmann::json& json, const FilledInput& input);
void from_json(const nlohmann::json& json, FilledInput& input);
void to_json(nlohmann::json& json, const BuiltObservation& observation);
void from_json(const nlohmann::json& json, BuiltObservation& observation);
void to_json(nlohmann::json& json, const ProblemSetup& setup);
void from_json(const nlohmann::json& json, ProblemSetup& setup);
void to_json(nlohmann::json& json, const Candidate& candidate);
void from_json(const nlohmann::json& json, Candidate& candidate);
void to_json(nlohmann::json& json, const Outcome& outcome);
void from_json(const nlohmann::json& json, Outcome& outcome);
void to_json(nlohmann::json& json, const Sample& sample);
void from_json(const nlohmann::json& json, Sample& sample);
}  // namespace gpu

namespace simulator {
void to_json(nlohmann::json& json, const AccessCounts& counts);
void from_json(const nlohmann::json& json, AccessCounts& counts);
void to_json(nlohmann::json& json, const AtomicCounts& counts);
void from_json(const nlohmann::json& json, AtomicCounts& counts);
void to_json(nlohmann::json& json, const Finding& finding);
void from_json(const nlohmann::json& json, Finding& finding);
void to_json(nlohmann::json& json, const LineAccess& line);
void from_json(const nlohmann::json& json, LineAccess& line);
}  // namespace simulator

namespace worker {

/// Byte buffers travel as CBOR byte strings.
nlohmann::json bytes_json(const std::vector<Bytes>& buffers);
std::vector<Bytes> bytes_of(const nlohmann::json& json);

}  // namespace worker
}  // namespace warpwright
