// Conversions of the messages' parts.
#include "kernels/runtime/messages/messages.hpp"

#include <cstring>
#include <nlohmann/json.hpp>

namespace warpwright {

using nlohmann::json;

#define WARPWRIGHT_DEFINE_JSON(Type, ...)                                      \
  void to_json(json& nlohmann_json_j, const Type& nlohmann_json_t) {           \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))   \
  }                                                                            \
  void from_json(const json& nlohmann_json_j, Type& nlohmann_json_t) {         \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__)) \
  }

WARPWRIGHT_DEFINE_JSON(Device, model, compute_capability, sm_count, sm_clock_mhz, memory_bandwidth_gbs, l2_bytes,
                       memory_bytes, max_threads_per_block, max_threads_per_sm, max_blocks_per_sm, registers_per_sm,
                       registers_per_block, shared_per_sm, shared_per_block, shared_per_block_optin,
                       shared_reserved_per_block, fp32_lanes_per_sm, fp64_lanes_per_sm, is_ours_alone)
WARPWRIGHT_DEFINE_JSON(Bound, comparison, relative, absolute, formula)
WARPWRIGHT_DEFINE_JSON(Program, source, entries, constants, with, contraction, definitions)

namespace gpu {
WARPWRIGHT_DEFINE_JSON(GpuInfo, device, index, uuid, driver_version, ecc)
WARPWRIGHT_DEFINE_JSON(FilledInput, text, fill)
WARPWRIGHT_DEFINE_JSON(BuiltObservation, name, plan, built)
WARPWRIGHT_DEFINE_JSON(ProblemSetup, buffers, inputs, fills, observations, reference_plan, reference, reference_depth)
WARPWRIGHT_DEFINE_JSON(Outcome, verdict, detail, input, error_ratio, damaged, mode)
WARPWRIGHT_DEFINE_JSON(Sample, microseconds, sm_clock_mhz)

void to_json(json& to, const Candidate& candidate) {
  to = {{"plan", candidate.plan},
        {"built", candidate.built},
        {"bounds", candidate.bounds},
        {"observation", candidate.observation}};
  if (const auto& choice = candidate.callable)
    to["callable"] = {{"name", choice->name}, {"knobs", choice->knobs}, {"problem", problem_text(choice->problem)}};
}

void from_json(const json& from, Candidate& candidate) {
  candidate = {.plan = from.at("plan"),
               .built = from.at("built"),
               .bounds = from.at("bounds"),
               .observation = from.at("observation")};
  if (const auto choice = from.find("callable"); choice != from.end())
    candidate.callable = {.name = choice->at("name"),
                          .knobs = choice->at("knobs"),
                          .problem = parse_problem(choice->at("problem").get<std::string>())};
}
}  // namespace gpu

namespace simulator {
WARPWRIGHT_DEFINE_JSON(AccessCounts, global_load_requests, global_load_sectors, global_store_requests,
                       global_store_sectors, global_load_bytes, global_store_bytes, shared_load_requests,
                       shared_load_wavefronts, shared_store_requests, shared_store_wavefronts, shared_least_wavefronts,
                       global_atomics, shared_atomics, barriers, warp_operations, branches, divergent_branches)
WARPWRIGHT_DEFINE_JSON(AtomicCounts, buffer, updates, busiest_line)
WARPWRIGHT_DEFINE_JSON(LineAccess, file, line, counts)

namespace {

json of_place(const Place& place) {
  const auto three = [](const Dim3& at) { return json{at.x, at.y, at.z}; };
  return {place.file, place.line, place.column, three(place.block), three(place.thread)};
}

Place place_of(const json& from) {
  const auto three = [](const json& at) { return Dim3{at.at(0), at.at(1), at.at(2)}; };
  return {.file = from.at(0),
          .line = from.at(1),
          .block = three(from.at(3)),
          .thread = three(from.at(4)),
          .column = from.at(2)};
}

}  // namespace

void to_json(json& to, const Finding& finding) {
  to = {{"kind", finding.kind},
        {"message", finding.message},
        {"entry", finding.entry},
        {"buffer", finding.buffer},
        {"offset", finding.offset},
        {"address", finding.address},
        {"place", of_place(finding.place)},
        {"other", of_place(finding.other)}};
}

void from_json(const json& from, Finding& finding) {
  finding = {.kind = from.at("kind"),
             .message = from.at("message"),
             .entry = from.at("entry"),
             .place = place_of(from.at("place")),
             .other = place_of(from.at("other")),
             .buffer = from.at("buffer"),
             .offset = from.at("offset"),
             .address = from.at("address")};
}
}  // namespace simulator

namespace worker {

json bytes_json(const std::vector<Bytes>& buffers) {
  json list = json::array();
  for (const Bytes& buffer : buffers) {
    std::vector<std::uint8_t> raw(buffer.size());
    if (!raw.empty()) std::memcpy(raw.data(), buffer.data(), raw.size());
    list.push_back(json::binary(std::move(raw)));
  }
  return list;
}

std::vector<Bytes> bytes_of(const json& list) {
  std::vector<Bytes> buffers;
  for (const json& entry : list) {
    const auto& raw = entry.get_binary();
    Bytes& buffer = buffers.emplace_back(raw.size());
    if (!raw.empty()) std::memcpy(buffer.data(), raw.data(), raw.size());
  }
  return buffers;
}

}  // namespace worker
}  // namespace warpwright
