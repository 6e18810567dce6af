// Verifying and timing configurations of one problem on a GPU.
#include "kernels/runtime/cuda/problem_on_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <limits>
#include <random>

#include "kernels/runtime/messages/few_wrong.hpp"
#include "kernels/runtime/messages/support_program.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::gpu {
namespace {

/// The same layout as in support.cuh.
struct ComparisonResult {
  std::uint64_t worst_ratio_bits = 0, wrong = 0;
  std::uint64_t first_wrong = ~std::uint64_t{0};
  std::uint64_t non_zero = 0;
};

/// A different byte for every input, so that an element that is never written cannot equal the expected values for all
/// inputs.
std::uint8_t poison(std::size_t input) {
  return input % 2 == 0 ? 0xFF : 0x5A;
}

}  // namespace

ProblemOnGpu::ProblemOnGpu(const Gpu& gpu, const CompiledProgram& support, ModuleCache& modules, ProblemSetup setup,
                           const std::vector<Callable>& callables, double seconds)
    : gpu_(gpu),
      support_(support),
      modules_(modules),
      setup_(std::move(setup)),
      callables_(callables),
      result_(sizeof(ComparisonResult)) {
  inputs_.resize(setup_.inputs.size());
  double us = 0;
  for (first_ = inputs_.size(); first_ > 0; --first_) {
    const auto done = static_cast<double>(inputs_.size() - first_);
    if (done > 0 && seconds > 0 && us * (done + 1) / done > 1e6 * seconds) break;
    us += host_time_of([&] { inputs_[first_ - 1] = prepared(setup_.inputs[first_ - 1]); });
  }
}

ProblemOnGpu::InputOnGpu ProblemOnGpu::prepared(const FilledInput& input) {
  InputOnGpu made;
  Addresses addresses;
  std::vector<PlacedMemory> scratch;
  const auto place_buffers_of = [&](const Plan& plan) {
    for (const Buffer& buffer : plan.buffers)
      if (!addresses.contains(buffer.name))
        addresses[buffer.name] =
            buffer.role == Role::out
                ? made.memory.emplace(buffer.name, Memory(buffer.bytes())).first->second.address()
                : scratch.emplace_back(gpu_, buffer.where, buffer.bytes(), Memory::Guards::none).address();
  };
  place_buffers_of(input.fill);
  PlanRunner(gpu_, modules_, input.fill, setup_.fills, addresses).run();
  for (const Buffer& buffer : setup_.buffers)
    if (buffer.is_input()) made.checksums[buffer.name] = checksum(buffer, addresses.at(buffer.name));
  place_buffers_of(setup_.reference_plan);
  PlanRunner reference(gpu_, modules_, setup_.reference_plan, setup_.reference, addresses);
  reference_us_ = host_time_of([&] { reference.run(); });
  return made;
}

double ProblemOnGpu::host_time_of(const std::function<void()>& work) const {
  gpu_.synchronize();
  const auto begin = std::chrono::steady_clock::now();
  work();
  gpu_.synchronize();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

void ProblemOnGpu::launch_support(const std::string& entry, std::int64_t threads,
                                  const std::vector<Argument>& arguments, const Addresses& addresses) const {
  if (threads == 0) return;
  const auto blocks = std::min<std::int64_t>((threads + 255) / 256, gpu_.info().device.sm_count * 16);
  Plan plan{.buffers = {},
            .steps = {{.what = Launch{.entry = support_entry(entry),
                                      .grid = {.x = static_cast<std::uint32_t>(blocks)},
                                      .block = {.x = 256},
                                      .arguments = arguments}}}};
  PlanRunner(gpu_, modules_, plan, support_, addresses).run();
}

std::uint64_t ProblemOnGpu::checksum(const Buffer& buffer, CUdeviceptr address) {
  const bool words = buffer.bytes() % 4 == 0;
  const std::int64_t count = words ? buffer.bytes() / 4 : buffer.bytes();
  result_.fill(gpu_.stream(), 0);
  launch_support(words ? "checksum<unsigned int>" : "checksum<unsigned char>", count,
                 {pointer_to("in"), value(count), pointer_to("sum")}, {{"in", address}, {"sum", result_.address()}});
  const Bytes bytes = result_.download(gpu_.stream());
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data(), sizeof sum);
  return sum;
}

const Memory& ProblemOnGpu::shared(const Buffer& buffer) {
  const auto key = std::pair(buffer.name, buffer.bytes());
  auto held = shared_.find(key);
  if (held == shared_.end()) held = shared_.emplace(key, Memory(buffer.bytes())).first;
  return held->second;
}

const PlacedMemory& ProblemOnGpu::placed(const Buffer& buffer) {
  const auto key = std::tuple(buffer.name, buffer.bytes(), buffer.where);
  auto held = placed_.find(key);
  if (held == placed_.end()) held = placed_.emplace(key, PlacedMemory(gpu_, buffer.where, buffer.bytes())).first;
  return held->second;
}

Addresses ProblemOnGpu::addresses(std::size_t input, const std::vector<Buffer>& buffers) {
  Addresses addresses;
  for (const Buffer& buffer : buffers) {
    const bool is_in = buffer.role == Role::in;
    if (buffer.where != Where::device) {
      if (is_in) placed(buffer).copy_from(inputs_[input].memory.at(buffer.name).address());
      addresses[buffer.name] = placed(buffer).address();
    } else {
      addresses[buffer.name] = (is_in ? inputs_[input].memory.at(buffer.name) : shared(buffer)).address();
    }
  }
  return addresses;
}

std::unique_ptr<PlanRunner> ProblemOnGpu::plan_runner(std::size_t input, const Candidate& candidate) {
  const std::vector<Buffer>& buffers = candidate.plan.buffers;
  for (const Buffer& buffer : buffers)
    if (buffer.self_restoring) shared(buffer).fill(gpu_.stream(), 0);
  return std::make_unique<PlanRunner>(gpu_, modules_, candidate.plan, candidate.built, addresses(input, buffers));
}

ProblemOnGpu::BoundCandidate ProblemOnGpu::bind(std::size_t input, const Candidate& candidate) {
  if (!candidate.callable) return {.buffers = candidate.plan.buffers, .runnable = plan_runner(input, candidate)};
  auto runner = std::make_unique<CallableRunner>(gpu_, callables_, *candidate.callable);
  BoundCandidate bound{.buffers = setup_.buffers, .runnable = nullptr};
  if (const std::int64_t bytes = runner->scratch_bytes(); bytes > 0)
    bound.buffers.push_back({.name = "scratch", .role = Role::scratch, .type = ElementType::u8, .count = bytes});
  runner->bind(addresses(input, bound.buffers));
  bound.runnable = std::move(runner);
  return bound;
}

void ProblemOnGpu::restore(std::size_t input, const std::vector<Buffer>& buffers) {
  for (const Buffer& buffer : buffers) {
    const bool elsewhere = buffer.where != Where::device;
    if (buffer.role == Role::inout) {
      const CUdeviceptr from = inputs_[input].memory.at(buffer.name).address();
      if (elsewhere)
        placed(buffer).copy_from(from);
      else
        driver().check(driver().copy_on_device(shared(buffer).address(), from, static_cast<std::size_t>(buffer.bytes()),
                                               gpu_.stream()),
                       "cuMemcpyDtoDAsync");
    }
    if (elsewhere) placed(buffer).bring_to_host();
  }
}

void ProblemOnGpu::poison_outputs(std::size_t input, const std::vector<Buffer>& buffers) {
  for (const Buffer& buffer : buffers) {
    if (buffer.role != Role::out && buffer.role != Role::scratch) continue;
    if (buffer.where != Where::device)
      placed(buffer).fill(poison(input));
    else
      shared(buffer).fill(gpu_.stream(), buffer.self_restoring ? std::uint8_t{0} : poison(input));
  }
}

void ProblemOnGpu::collect_outputs(const std::vector<Buffer>& buffers) {
  for (const Buffer& buffer : buffers)
    if (buffer.is_output() && buffer.where != Where::device) placed(buffer).copy_to(shared(buffer).address());
}

std::vector<Buffer> ProblemOnGpu::observe(std::size_t input, const std::string& name) {
  std::vector<Buffer> observed;
  if (setup_.observations.empty()) {
    for (const Buffer& buffer : setup_.buffers)
      if (buffer.is_output()) observed.push_back(buffer);
    return observed;
  }
  const auto named = std::ranges::find(setup_.observations, name, &BuiltObservation::name);
  const BuiltObservation& observation = named == setup_.observations.end() ? setup_.observations.front() : *named;
  Addresses addresses;
  for (const Buffer& buffer : observation.plan.buffers) {
    if (buffer.name == kPoisonBuffer) {
      shared(buffer).fill(gpu_.stream(), poison(input));
    } else if (const auto own = std::ranges::find(setup_.buffers, buffer.name, &Buffer::name);
               own != setup_.buffers.end()) {
      const bool is_in = own->role == Role::in;
      addresses[buffer.name] = is_in ? inputs_[input].memory.at(own->name).address() : shared(*own).address();
      continue;
    } else {
      shared(buffer).fill(gpu_.stream(), buffer.self_restoring ? std::uint8_t{0} : poison(input));
      if (buffer.is_output()) observed.push_back(buffer);
    }
    addresses[buffer.name] = shared(buffer).address();
  }
  PlanRunner(gpu_, modules_, observation.plan, observation.built, addresses).run();
  gpu_.synchronize();
  for (const Buffer& buffer : observed)
    if (!shared(buffer).guards_intact(gpu_.stream()))
      throw std::runtime_error(
          fmt::format("the observation '{}' wrote beside its buffer {}", observation.name, buffer.name));
  return observed;
}

Outcome ProblemOnGpu::compare(std::size_t input, const Buffer& observed, const Bound& bound) {
  if (observed.count == 0) return {};
  const auto& memory = inputs_[input].memory;
  Addresses addresses{{"output", shared(observed).address()},
                      {"expected", memory.at(observed.name + ".expected").address()},
                      {"result", result_.address()}};
  const std::string type = "<" + std::string(storage_name(observed.type)) + ">";
  const ComparisonResult blank;
  Bytes start(sizeof blank);
  std::memcpy(start.data(), &blank, sizeof blank);
  result_.upload(gpu_.stream(), start);
  if (bound.comparison == Comparison::bounded) {
    addresses["magnitude"] = memory.at(observed.name + ".magnitude").address();
    // The reference's own roundings are added if the kernel may round at all.
    const double own = bound.relative > 0 ? (setup_.reference_depth + 1) * unit_roundoff(ElementType::f64) : 0;
    launch_support("compare_bounded" + type, observed.count,
                   {pointer_to("output"), pointer_to("expected"), pointer_to("magnitude"), value(bound.relative + own),
                    value(bound.absolute), value(observed.count), pointer_to("result")},
                   addresses);
  } else {
    launch_support((bound.comparison == Comparison::bits ? "compare_bits" : "compare_values") + type, observed.count,
                   {pointer_to("output"), pointer_to("expected"), value(observed.count), pointer_to("result")},
                   addresses);
  }
  ComparisonResult result;
  std::memcpy(&result, result_.download(gpu_.stream()).data(), sizeof result);
  Outcome outcome{.error_ratio = std::bit_cast<double>(result.worst_ratio_bits)};
  outcome.accuracy = accuracy_of(outcome.error_ratio, bound, observed.type);
  if (result.wrong > 0) {
    outcome.verdict = Verdict::failed;
    outcome.input = setup_.inputs[input].text;
    outcome.detail = fmt::format("{} of {} elements of {} are wrong on input {}, the first at index {} (bound: {}){}",
                                 result.wrong, observed.count, observed.name, outcome.input, result.first_wrong,
                                 bound.formula, hint_at_few_wrong(bound, result.wrong, observed.count));
  } else if (result.non_zero == 0) {
    outcome.verdict = Verdict::mistrusted;
    outcome.detail = fmt::format("every element of {} is zero, as is what was expected", observed.name);
  }
  return outcome;
}

Outcome ProblemOnGpu::check_outputs(std::size_t input, const Candidate& candidate, const BoundCandidate& bound) {
  if (const std::string harm = damage(input, bound.buffers); !harm.empty())
    return {.verdict = Verdict::failed, .detail = harm, .input = setup_.inputs[input].text, .damaged = true};
  collect_outputs(bound.buffers);
  if (const std::string left = not_restored(bound.buffers); !left.empty())
    return {.verdict = Verdict::failed, .detail = left, .input = setup_.inputs[input].text};
  Outcome worst;
  if (candidate.bounds.empty()) return worst;
  const std::vector<Buffer> observed = observe(input, candidate.observation);
  bool some_is_not_zero = false;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    Outcome outcome = compare(input, observed[i], candidate.bounds.at(input).at(i));
    outcome.error_ratio = std::max(worst.error_ratio, outcome.error_ratio);
    outcome.accuracy.add(worst.accuracy);
    some_is_not_zero = some_is_not_zero || outcome.verdict == Verdict::passed;
    if (outcome.verdict != Verdict::passed) worst = outcome;
    worst.error_ratio = outcome.error_ratio;
    worst.accuracy = outcome.accuracy;
    if (outcome.verdict == Verdict::failed) return worst;
  }
  // An output may rightly be zero everywhere (a flag of an overflow that did not happen), but not all outputs.
  if (some_is_not_zero) worst = {.error_ratio = worst.error_ratio, .accuracy = worst.accuracy};
  return worst;
}

std::string ProblemOnGpu::not_restored(const std::vector<Buffer>& buffers) {
  for (const Buffer& buffer : buffers) {
    if (!buffer.self_restoring || buffer.count == 0) continue;
    const std::uint64_t none = ~std::uint64_t{0};
    Bytes start(sizeof none);
    std::memcpy(start.data(), &none, sizeof none);
    result_.upload(gpu_.stream(), start);
    launch_support("first_non_zero", buffer.bytes(),
                   {pointer_to("scratch"), value(buffer.bytes()), pointer_to("first")},
                   {{"scratch", shared(buffer).address()}, {"first", result_.address()}});
    std::uint64_t first = 0;
    std::memcpy(&first, result_.download(gpu_.stream()).data(), sizeof first);
    if (first != none)
      return fmt::format("left the self-restoring scratch {} not zero: byte {} of {}", buffer.name, first,
                         buffer.bytes());
  }
  return {};
}

std::string ProblemOnGpu::damage(std::size_t input, const std::vector<Buffer>& buffers) {
  for (const Buffer& buffer : buffers) {
    const bool is_in = buffer.role == Role::in;
    const bool elsewhere = buffer.where != Where::device;
    const auto held = [&]() -> const Memory& {
      return is_in && !elsewhere ? inputs_[input].memory.at(buffer.name) : shared(buffer);
    };
    if (!(elsewhere ? placed(buffer).guards_intact() : held().guards_intact(gpu_.stream())))
      return fmt::format("wrote beside the buffer {}", buffer.name);
    if (!is_in) continue;
    if (elsewhere) placed(buffer).copy_to(held().address());
    if (checksum(buffer, held().address()) != inputs_[input].checksums.at(buffer.name))
      return fmt::format("changed its input {}", buffer.name);
  }
  return {};
}

Outcome ProblemOnGpu::verify(const Candidate& candidate) {
  Outcome worst;
  for (std::size_t input = first_; input < setup_.inputs.size(); ++input) {
    Outcome outcome;
    try {
      BoundCandidate bound = bind(input, candidate);
      parts_.restoring += host_time_of([&] {
        restore(input, bound.buffers);
        poison_outputs(input, bound.buffers);
      });
      bound.runnable->prepare();
      const double took = host_time_of([&] { bound.runnable->run_timed(); });
      ++parts_.runs;
      parts_.verifying += took;
      bound.runnable->finish();
      gpu_.synchronize();
      verified_us_ = input == first_ ? took : std::min(verified_us_, took);
      parts_.comparing += host_time_of([&] { outcome = check_outputs(input, candidate, bound); });
    } catch (const NotLaunchable& refused) {
      return {.verdict = Verdict::not_launchable, .detail = refused.what()};
    }
    outcome.error_ratio = std::max(outcome.error_ratio, worst.error_ratio);
    outcome.accuracy.add(worst.accuracy);
    if (outcome.verdict == Verdict::failed) return outcome;
    if (worst.verdict == Verdict::mistrusted) outcome.verdict = worst.verdict;
    worst = outcome;
  }
  return worst;
}

Outcome ProblemOnGpu::time(const Candidate& candidate, const Sampling& sampling, GpuTimer& timer,
                           std::vector<Sample>& samples) {
  std::vector<std::vector<Sample>> table;
  const Outcome outcome = rounds({candidate}, sampling, 0, timer, table).front();
  for (const auto& round : table) samples.push_back(round.front());
  return outcome;
}

std::vector<Outcome> ProblemOnGpu::rounds(const std::vector<Candidate>& candidates, const Sampling& sampling,
                                          std::uint64_t seed, GpuTimer& timer,
                                          std::vector<std::vector<Sample>>& samples) {
  const std::size_t input = setup_.inputs.size() - 1;
  std::vector<BoundCandidate> bound;
  Clock clock = Clock::events;
  for (const Candidate& candidate : candidates) {
    bound.push_back(bind(input, candidate));
    if (bound.back().runnable->synchronises()) clock = Clock::host;
  }
  std::vector<std::size_t> order(candidates.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::vector<Outcome> outcomes(candidates.size());
  std::mt19937_64 random(seed);
  bool is_last = false;
  double fastest = std::numeric_limits<double>::infinity();
  for (int round = 0; !is_last && round < sampling.count; ++round) {
    is_last = round + 1 == sampling.count;
    const bool may_be_last = is_last || sampling.cannot_win(round + 1, fastest);
    std::ranges::shuffle(order, random);
    auto& row = samples.emplace_back(candidates.size());
    for (const std::size_t i : order) {
      const auto prepare = [&] {
        restore(input, bound[i].buffers);
        if (may_be_last) poison_outputs(input, bound[i].buffers);
        bound[i].runnable->prepare();
      };
      const auto run = [&] { bound[i].runnable->run_timed(); };
      const double took = host_time_of([&] { row[i] = timer.time(prepare, run, clock); });
      ++parts_.runs;
      parts_.restoring += took - row[i].microseconds;
      bound[i].runnable->finish();
      fastest = std::min(fastest, row[i].microseconds);
      is_last |= sampling.cannot_win(round + 1, fastest);
      if (!is_last) continue;
      parts_.comparing += host_time_of([&] { outcomes[i] = check_outputs(input, candidates[i], bound[i]); });
      outcomes[i].mode = timing_mode(bound[i].runnable->uses_graph(), clock);
      // Later failures may be caused by this candidate, so the problem must be set up again for the others.
      if (outcomes[i].damaged) return outcomes;
    }
  }
  return outcomes;
}

}  // namespace warpwright::gpu
