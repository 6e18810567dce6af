// Converts requests, answers and their parts to CBOR and back.
#include "kernels/runtime/messages/messages.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

#include "kernels/runtime/messages/build_id.hpp"

namespace nlohmann {

template <>
struct adl_serializer<warpwright::Bytes> {
  static void to_json(json& to, const warpwright::Bytes& bytes) {
    std::vector<std::uint8_t> raw(bytes.size());
    if (!raw.empty()) std::memcpy(raw.data(), bytes.data(), raw.size());
    to = json::binary(std::move(raw));
  }
  static void from_json(const json& from, warpwright::Bytes& bytes) {
    const auto& raw = from.get_binary();
    bytes.resize(raw.size());
    if (!raw.empty()) std::memcpy(bytes.data(), raw.data(), raw.size());
  }
};

/// A value, or null.
template <class T>
struct OptionalSerializer {
  static void to_json(json& to, const std::optional<T>& value) {
    if (value)
      to = *value;
    else
      to = nullptr;
  }
  static void from_json(const json& from, std::optional<T>& value) {
    if (from.is_null())
      value.reset();
    else
      value = from.get<T>();
  }
};
template <>
struct adl_serializer<std::optional<bool>> : OptionalSerializer<bool> {};
template <>
struct adl_serializer<std::optional<int>> : OptionalSerializer<int> {};
template <>
struct adl_serializer<std::optional<double>> : OptionalSerializer<double> {};
template <>
struct adl_serializer<std::optional<warpwright::Problem>> : OptionalSerializer<warpwright::Problem> {};
template <>
struct adl_serializer<std::optional<warpwright::gpu::CallableChoice>>
    : OptionalSerializer<warpwright::gpu::CallableChoice> {};

}  // namespace nlohmann

namespace warpwright {

/// A value that converts to any type. Used only to count fields, so it has no definition.
struct AnyField {
  template <class T>
  operator T() const;
};

namespace {

/// The number of fields of a struct without constructors: the largest number of values from which it can be made.
template <class T, class... Fields>
consteval std::size_t fields_of() {
  if constexpr (requires { T{Fields()..., AnyField()}; })
    return fields_of<T, Fields..., AnyField>();
  else
    return sizeof...(Fields);
}

consteval std::size_t names_in(std::string_view list) {
  return 1 + static_cast<std::size_t>(std::ranges::count(list, ','));
}

}  // namespace

/// Every field of a struct by its name.
#define WARPWRIGHT_FIELDS(Type, ...)                                                                  \
  static_assert(fields_of<Type>() == names_in(#__VA_ARGS__), #Type " has fields that do not travel"); \
  NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Type, __VA_ARGS__)

inline void to_json(nlohmann::json& to, const Problem& problem) {
  to = problem_text(problem);
}

inline void from_json(const nlohmann::json& from, Problem& problem) {
  problem = parse_problem(from.get<std::string>());
}

WARPWRIGHT_FIELDS(Device, model, compute_capability, sm_count, sm_clock_mhz, memory_bandwidth_gbs, l2_bytes,
                  memory_bytes, max_threads_per_block, max_threads_per_sm, max_blocks_per_sm, registers_per_sm,
                  registers_per_block, shared_per_sm, shared_per_block, shared_per_block_optin,
                  shared_reserved_per_block, fp32_lanes_per_sm, fp64_lanes_per_sm, is_ours_alone)
WARPWRIGHT_FIELDS(Dim3, x, y, z)
WARPWRIGHT_FIELDS(Bound, comparison, relative, absolute, formula)
WARPWRIGHT_FIELDS(Accuracy, relative, ulp)
WARPWRIGHT_FIELDS(BusRates, to_device_gbs, to_host_gbs)
WARPWRIGHT_FIELDS(Program, source, entries, constants, with, contraction, host_functions, definitions)

namespace gpu {
WARPWRIGHT_FIELDS(GpuInfo, device, index, uuid, driver_version, ecc)
WARPWRIGHT_FIELDS(Sensors, driver, power_w, temperature_c, sm_clock_mhz, counts_energy, other_processes,
                  throttle_reasons)
WARPWRIGHT_FIELDS(Repeated, joules, replay_us)
WARPWRIGHT_FIELDS(Rates, copy_gbs, read_gbs, float_gflops, double_gflops, bus)
WARPWRIGHT_FIELDS(FilledInput, text, fill)
WARPWRIGHT_FIELDS(BuiltObservation, name, plan, built)
WARPWRIGHT_FIELDS(ProblemSetup, buffers, inputs, fills, observations, reference_plan, reference, reference_depth)
WARPWRIGHT_FIELDS(CallableChoice, name, knobs, problem)
WARPWRIGHT_FIELDS(Candidate, plan, built, bounds, observation, callable)
WARPWRIGHT_FIELDS(Sampling, count, once_us, far_us, hopeless_us, too_slow_us)
WARPWRIGHT_FIELDS(TrialParts, runs, setting_up, restoring, verifying, comparing)
WARPWRIGHT_FIELDS(Outcome, verdict, detail, input, error_ratio, accuracy, damaged, mode)
WARPWRIGHT_FIELDS(Sample, microseconds, sm_clock_mhz)
WARPWRIGHT_FIELDS(StepTime, kind, name, stream, times, start_us, end_us, us)
}  // namespace gpu

namespace simulator {
WARPWRIGHT_FIELDS(Schedule, seed, resident_blocks, stale_loads, stale_end)
WARPWRIGHT_FIELDS(Limits, steps, findings, blocks)
WARPWRIGHT_FIELDS(SimulationOptions, device, schedule, limits, count_accesses, check_races, check_initialised,
                  accept_exited_threads, lenient, keeps_state, sampled_blocks, spread_blocks, first_blocks, explored,
                  poison, matrix_adder, contracts)
WARPWRIGHT_FIELDS(AccessCounts, global_load_requests, global_load_sectors, global_store_requests, global_store_sectors,
                  global_load_bytes, global_store_bytes, shared_load_requests, shared_load_wavefronts,
                  shared_store_requests, shared_store_wavefronts, shared_least_wavefronts, global_atomics,
                  shared_atomics, shared_atomic_requests, shared_atomic_wavefronts, constant_bytes, barriers,
                  warp_operations, shuffles, votes, reductions, matched_values, branches, divergent_branches)
WARPWRIGHT_FIELDS(AtomicCounts, buffer, updates, busiest_line)
WARPWRIGHT_FIELDS(LineAccess, file, line, counts)
WARPWRIGHT_FIELDS(ThreadLocation, file, line, block, thread, column)
WARPWRIGHT_FIELDS(Finding, kind, message, entry, location, other, buffer, offset, address)
WARPWRIGHT_FIELDS(ToleratedFinding, rule, finding)
WARPWRIGHT_FIELDS(Page, buffer, number, bytes)
WARPWRIGHT_FIELDS(BlockAccesses, block, stored, first_store, first_load)
WARPWRIGHT_FIELDS(SampledAccesses, buffer, grid, is_only_store, blocks)
WARPWRIGHT_FIELDS(Execution, findings, hints, hint_count, arithmetic, exchanged, tolerated, access, lines, launches,
                  launch_threads, launch_atomics, threads, thread_steps, basic_blocks, missing, sampled, second_buffers,
                  explored, is_exhausted, other_buffers)
}  // namespace simulator

namespace worker {
WARPWRIGHT_FIELDS(KnobsInfo, knobs, text, depth, is_default)
WARPWRIGHT_FIELDS(BaselineInfo, pattern, implementation, idiom, version, missing, synchronises, observation, has_oracle,
                  laws, knobs)
WARPWRIGHT_FIELDS(Compile, sources, programs, target, try_quickly)
WARPWRIGHT_FIELDS(Simulate, plan, module, host_functions, buffers, options, pages)
WARPWRIGHT_FIELDS(ListCallables, problem, device)
WARPWRIGHT_FIELDS(ReadSensors, uuid)
WARPWRIGHT_FIELDS(RunPlan, gpu, plan, program, buffers, bare, reads_outputs, runs)
WARPWRIGHT_FIELDS(RunCallable, gpu, callable, buffers, inputs, poison)
WARPWRIGHT_FIELDS(SelectProblem, gpu, support, setup, seconds)
WARPWRIGHT_FIELDS(Trial, gpu, candidate, verify, sampling)
WARPWRIGHT_FIELDS(Rounds, gpu, candidates, rounds, seed)
WARPWRIGHT_FIELDS(TimeSteps, gpu, candidate, runs)
WARPWRIGHT_FIELDS(RepeatRuns, gpu, candidate, has_energy, replays)
WARPWRIGHT_FIELDS(MeasureRates, gpu, support, bytes, bus_bytes, samples)
WARPWRIGHT_FIELDS(MeasureSensorRatio, gpu, support)
WARPWRIGHT_FIELDS(Refused, reason, is_fatal)
WARPWRIGHT_FIELDS(EnvironmentFailed, reason)
WARPWRIGHT_FIELDS(Toolchain, nvrtc_version, nvrtc_fingerprint, nvrtc_error, architectures, linker_fingerprint,
                  linker_error, host_fingerprint, host_functions_fingerprint, host_error, program_fingerprint)
WARPWRIGHT_FIELDS(CompiledModule, ok, log, diagnosed, missing_header, image, instances, constants)
WARPWRIGHT_FIELDS(Simulated, execution, buffers)
WARPWRIGHT_FIELDS(PlanResult, verdict, detail, buffers, runs, other)
WARPWRIGHT_FIELDS(CallableOutputs, outputs)
WARPWRIGHT_FIELDS(ProblemReady, reference_us, left_out)
WARPWRIGHT_FIELDS(TrialReply, outcome, samples, parts, left_out)
WARPWRIGHT_FIELDS(RoundsReply, outcomes, samples)
WARPWRIGHT_FIELDS(StepsReply, steps)
WARPWRIGHT_FIELDS(SensorRatio, ratio)

namespace {

using nlohmann::json;

/// The alternative's number in the variant, and the alternative.
template <class Variant>
json json_of(const Variant& message) {
  json body = std::visit(
      []<class T>(const T& one) {
        if constexpr (std::is_empty_v<T>)
          return json(nullptr);
        else
          return json(one);
      },
      message);
  return json::array({message.index(), std::move(body)});
}

template <class T>
T body_of(const json& body) {
  if constexpr (std::is_empty_v<T>)
    return T();
  else
    return body.get<T>();
}

template <class Variant, std::size_t... Numbers>
Variant variant_of(const json& from, std::index_sequence<Numbers...>) {
  const std::size_t number = from.at(0);
  std::optional<Variant> made;
  (void)((number == Numbers && (made.emplace(std::in_place_index<Numbers>,
                                             body_of<std::variant_alternative_t<Numbers, Variant>>(from.at(1))),
                                true)) ||
         ...);
  if (!made) throw std::invalid_argument("a message of an unknown kind");
  return *std::move(made);
}

template <class Variant>
Variant message_of(const json& from) {
  return variant_of<Variant>(from, std::make_index_sequence<std::variant_size_v<Variant>>());
}

/// Throws std::invalid_argument if lists are nested deeper than in any message, since the parser calls itself for each
/// level. Also if a length is missing, which no encoded message does.
void require_shallow(const Message& message) {
  constexpr std::size_t kMostDepth = 500;
  std::vector<std::uint64_t> open;  // for each list around the next item: how many items it still has
  for (std::size_t at = 0; at < message.size();) {
    while (!open.empty() && open.back() == 0) open.pop_back();
    if (!open.empty()) --open.back();
    const unsigned kind = message[at] >> 5, size = message[at] & 31;
    ++at;
    std::uint64_t count = size;
    if (size > 27) throw std::invalid_argument("a message with an unknown length");
    if (size >= 24) {
      count = 0;
      for (unsigned bytes = 1u << (size - 24); bytes > 0 && at < message.size(); --bytes)
        count = count << 8 | message[at++];
    }
    if (kind == 2 || kind == 3) at += std::min<std::uint64_t>(count, message.size() - at);  // bytes and text
    if (kind == 4) open.push_back(count);                                                   // an array
    if (kind == 5) open.push_back(2 * count);                                               // an object
    if (open.size() > kMostDepth) throw std::invalid_argument("a message that is nested too deeply");
  }
}

json parsed(const Message& message) {
  require_shallow(message);
  return json::from_cbor(message);
}

}  // namespace

Message greeting() {
  const std::string_view id = build_id();
  return {id.begin(), id.end()};
}

Message encode(const Request& request) {
  return json::to_cbor(json_of(request));
}

Message encode(const Answer& answer) {
  return json::to_cbor(json_of(answer));
}

Message encode(const std::vector<Request>& requests) {
  json list = json::array();
  for (const Request& request : requests) list.push_back(json_of(request));
  return json::to_cbor(list);
}

Request decode_request(const Message& message) {
  return message_of<Request>(parsed(message));
}

Answer decode_answer(const Message& message) {
  return message_of<Answer>(parsed(message));
}

std::vector<Request> decode_requests(const Message& message) {
  std::vector<Request> requests;
  for (const json& one : parsed(message)) requests.push_back(message_of<Request>(one));
  return requests;
}

}  // namespace worker
}  // namespace warpwright
