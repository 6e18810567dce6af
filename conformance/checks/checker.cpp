// Checking cases through a worker.
#include "conformance/checks/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "conformance/cases/comparison.hpp"
#include "conformance/checks/problem_setup.hpp"
#include "conformance/checks/run_plan.hpp"
#include "kernels/runtime/build/compiled_plan.hpp"
#include "kernels/runtime/client/gpu_client.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/messages/support_program.hpp"

namespace warpwright::conformance {
namespace {

constexpr std::uint8_t kOtherPoison = 0x5A;
/// Of a GPU's case whose inputs and outputs go through the host, where the oracle gives the answer.
constexpr double kMostBytes = 64e6, kMostSteps = 1e8;

/// What the host compiler said about locals of the kernel's own file or of the shared device code; empty for nothing.
std::string warning_about(const Kernel& kernel, const CompiledProgram& built) {
  std::istringstream lines(built.log);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(kernel.source) || line.starts_with("kernels/block/")) return line;
  return {};
}

/// File and line, of both sides.
std::string lines_of(const simulator::Finding& finding) {
  return fmt::format("{}:{} {}:{}", finding.location.file, finding.location.line, finding.other.file,
                     finding.other.line);
}

std::string said_by_compiler(const std::string& warning) {
  return warning.empty() ? "" : "; the host compiler warns: " + warning;
}

}  // namespace

Checker::Checker(const Catalogue& catalogue, worker::Process& process, worker::Compiler& compiler, Compile compile,
                 std::optional<GpuTarget> gpu)
    : catalogue_(catalogue), process_(process), compiler_(compiler), compile_(compile), gpu_(std::move(gpu)) {}

Device Checker::device_of(const Case& test) const {
  return device_for(test, device_of(test.target));
}

const Device& Checker::device_of(const std::string& target) const {
  if (is_host(target)) return host_device(target);
  if (!gpu_) throw std::invalid_argument("a case for " + target + " needs that GPU");
  return gpu_->device;
}

void Checker::add(CaseResult& result, const Run& run) {
  result.steps += run.steps;
  result.threads += run.threads;
  result.seconds += run.seconds;
  result.of_limit = std::max(result.of_limit, run.of_limit);
  result.verdict = run.verdict;
  result.finding = run.found ? std::optional(run.found->kind) : std::nullopt;
  result.found = run.found;
  result.detail = run.detail;
  for (const Tolerated& finding : run.tolerated)
    if (std::ranges::none_of(result.tolerated, [&](const Tolerated& one) {
          return one.rule == finding.rule && one.location == finding.location;
        }))
      result.tolerated.push_back(finding);
}

std::vector<StrictRule> Checker::lenient_about(const Kernel& kernel) const {
  if (!is_strict_) return {all_strict_rules().begin(), all_strict_rules().end()};
  std::vector<StrictRule> rules;
  for (const Lenience& lenience : kernel.lenient) rules.push_back(lenience.what);
  return rules;
}

Checker::Run Checker::run(const Case& test, const Problem& problem, const std::vector<Bytes>& inputs,
                          std::uint8_t poison, bool count_accesses, const Conditions& conditions) {
  const Device device = device_of(test);
  const auto [plan, built, refusal] =
      worker::compile_plan(compiler_, test.target, test.kernel->plan(test.params, problem, device),
                           program_for(catalogue_, *test.kernel, test.params, problem, device));
  if (!refusal.empty()) return {.verdict = Verdict::not_compiled, .detail = refusal};
  std::vector<Bytes> contents = filled(plan, inputs, poison);
  const double limit = step_limit(test, problem, plan, conditions.limits);
  Run done = is_host(test.target) ? simulate(test, plan, built, std::move(contents), limit, count_accesses, conditions)
                                  : run_on_gpu(test, plan, built, std::move(contents), limit, conditions.limits);
  if (done.verdict != Verdict::passed) return done;
  std::vector<Bytes> outputs;
  for (std::size_t i = 0; i < plan.buffers.size(); ++i)
    if (plan.buffers[i].is_output()) outputs.push_back(std::move(done.buffers.at(i)));
  done.outputs = observe(test, problem, inputs, outputs, poison);
  return done;
}

Checker::Run Checker::simulate(const Case& test, const Plan& plan, const CompiledProgram& built,
                               std::vector<Bytes> contents, double limit, bool count_accesses,
                               const Conditions& conditions) {
  const auto steps = static_cast<std::uint64_t>(limit);
  worker::Simulate request = simulation_of(plan, built, std::move(contents), device_of(test));
  request.options.schedule = {.seed = test.schedule_seed,
                              .resident_blocks = test.resident_blocks,
                              .stale_loads = test.stale_loads,
                              .stale_end = test.stale_end};
  // What may access memory so often may also compute so long in between.
  request.options.limits.steps = steps;
  request.options.limits.blocks = std::max(static_cast<std::uint64_t>(conditions.limits.blocks), steps);
  request.options.count_accesses = count_accesses;
  request.options.lenient = lenient_about(*test.kernel);
  request.options.poison = conditions.poison;
  const auto begin = std::chrono::steady_clock::now();
  auto answered =
      process_.call(std::move(request), time_limit(test, limit, conditions.limits), conditions.limits.believe);
  if (answered.status == worker::CallStatus::refused) throw std::runtime_error(answered.detail);
  if (!answered.ok()) return {.verdict = answered.verdict(), .detail = answered.detail};
  simulator::Execution& execution = answered.reply.execution;
  Run done{.buffers = std::move(answered.reply.buffers),
           .steps = execution.thread_steps,
           .threads = execution.threads,
           .of_limit = static_cast<double>(execution.thread_steps) / limit,
           .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
           .warning = warning_about(*test.kernel, built),
           .noted = execution.hints_text()};
  for (simulator::ToleratedFinding& one : execution.tolerated)
    done.tolerated.push_back({.rule = one.rule,
                              .location = lines_of(one.finding),
                              .text = describe(one.finding),
                              .found = std::move(one.finding)});
  if (!execution.clean()) {
    done.found = execution.findings.front();
    done.verdict = verdict_of(done.found->kind);
    done.detail = describe(*done.found) + done.noted + said_by_compiler(done.warning);
  }
  done.access = {.counts = execution.access,
                 .launches = std::move(execution.launches),
                 .launch_threads = std::move(execution.launch_threads),
                 .launch_atomics = std::move(execution.launch_atomics),
                 .lines = std::move(execution.lines),
                 .threads = execution.threads};
  return done;
}

Checker::Run Checker::run_on_gpu(const Case& test, const Plan& plan, const CompiledProgram& built,
                                 std::vector<Bytes> contents, double limit, const Limits& limits) {
  auto answered =
      process_.call(worker::RunPlan{.gpu = gpu_->index, .plan = plan, .program = built, .buffers = std::move(contents)},
                    time_limit(test, limit, limits), limits.believe);
  if (answered.status == worker::CallStatus::refused) throw std::runtime_error(answered.detail);
  if (!answered.ok()) return {.verdict = answered.verdict(), .detail = answered.detail};
  return {.verdict = answered.reply.verdict,
          .detail = std::move(answered.reply.detail),
          .buffers = std::move(answered.reply.buffers)};
}

std::vector<Bytes> Checker::observe(const Case& test, const Problem& problem, const std::vector<Bytes>& inputs,
                                    const std::vector<Bytes>& outputs, std::uint8_t poison) {
  const Pattern& pattern = catalogue_.pattern(problem.pattern);
  const NamedObservation* named = find_observation(pattern, {});
  if (named == nullptr) return outputs;
  const Observation observation = named->of(problem, device_of(test));
  try {
    const CompiledProgram built =
        worker::compile_plan_or_throw(compiler_, test.target, observation.plan, observation.source).program;
    const auto given = given_to(observation, pattern.buffers(problem), inputs, outputs, poison);
    return observed_by(observation, is_host(test.target)
                                        ? run_plan_on_host(process_, observation.plan, built, given, device_of(test))
                                        : run_plan_on_gpu(process_, gpu_->index, observation.plan, built, given));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("the observation '{}' of {} failed on {}: {}", named->name, pattern.name,
                                         problem_text(problem), error.what()));
  }
}

CaseResult Checker::check_oracle(const Case& test, const OracleAnswer& answer, std::optional<CountedAccess>* access,
                                 const Conditions& conditions) {
  if (!answer.unknown.empty()) {
    // A GPU runs the reference itself.
    return is_host(test.target) ? check_without_answer(test, Verdict::not_modelled, answer.unknown, access, conditions)
                                : check_at_size(test);
  }
  const Pattern& pattern = catalogue_.pattern(test.problem.pattern);
  const Device device = device_of(test);
  const std::vector<Buffer> observed = observed_buffers(pattern, test.problem, device);
  const double depth = test.kernel->depth(test.params, test.problem, device);
  const InputKind kind = input_kind(pattern, test.problem, test.input.kind);
  std::vector<Bound> bounds;
  for (const Buffer& buffer : observed) bounds.push_back(pattern.bound(test.problem, buffer.name, kind, depth));
  CaseResult result;
  std::optional<ComparisonResult> before;  // with the first poison
  for (const std::uint8_t poison : {kPoison, kOtherPoison}) {
    const Run done = run(test, test.problem, answer.inputs, poison, access != nullptr, conditions);
    add(result, done);
    if (done.verdict != Verdict::passed) return result;
    if (access != nullptr) *access = done.access;
    ComparisonResult compared = compare_outputs(observed, answer.expected, done.outputs, bounds, poison);
    result.error_ratio = std::max(result.error_ratio, compared.error_ratio);
    // What is wrong with one poison is wrong.
    if (before && before->verdict == Verdict::failed) {
      if (!before->poisoned.empty() && before->poisoned == compared.poisoned)
        before->detail = fmt::format("{} was never written: {} was expected", before->poisoned, before->wanted);
      compared = *before;
    }
    // Poison where the oracle has none but a NaN, which one of the two poisons may be.
    if (!compared.poisoned.empty() && compared.wants_nan)
      compared.detail = compared.poisoned + " was never written, and the oracle has no number for it: has it so many?";
    result.verdict = compared.verdict;
    result.detail = compared.detail;
    if (compared.verdict == Verdict::failed) result.detail += done.noted + said_by_compiler(done.warning);
    if (!compared.equals_poison && compared.poisoned.empty()) break;
    before = std::move(compared);
  }
  return result;
}

CaseResult Checker::check_without_answer(const Case& test, Verdict otherwise, const std::string& why,
                                         std::optional<CountedAccess>* access, const Conditions& conditions) {
  CaseResult result;
  const std::vector<Bytes> inputs = generate_inputs(catalogue_.pattern(test.problem.pattern), test.problem, test.input);
  const Run done = run(test, test.problem, inputs, kPoison, access != nullptr, conditions);
  add(result, done);
  if (done.verdict != Verdict::passed) return result;
  if (access != nullptr) *access = done.access;
  result.verdict = otherwise;
  result.detail = why;
  return result;
}

CaseResult Checker::check_law(const Case& test, const Conditions& conditions) {
  const Pattern& pattern = catalogue_.pattern(test.problem.pattern);
  const auto law = std::ranges::find(pattern.laws, test.law, &Law::name);
  CaseResult result;
  std::string noted;
  std::vector<std::vector<Bytes>> runs;
  const Runner runner = [&](const Problem& problem, const std::vector<Bytes>& inputs) {
    Run done = run(test, problem, inputs, kPoison, false, conditions);
    add(result, done);
    if (done.verdict != Verdict::passed) throw std::runtime_error(done.detail);
    if (noted.empty()) noted = done.noted;
    if (in_words_ && law->in_words) runs.push_back(done.outputs);
    return done.outputs;
  };
  const std::string kind = law->input.empty() ? pattern.inputs(test.problem).front().name : law->input;
  const auto inputs = generate_inputs(pattern, test.problem, {.kind = kind, .seed = test.input.seed});
  try {
    result.detail = law->broken(test.problem, inputs, runner);
    if (!result.detail.empty()) {
      result.verdict = Verdict::failed;
      result.detail += noted;
    } else if (in_words_ && law->in_words)
      result.detail = law->in_words(test.problem, inputs, runs);
  } catch (const std::runtime_error& error) {
    // Only a run with a verdict of its own ends the law early; what else fails is no answer.
    if (result.verdict == Verdict::passed) throw;
    result.detail = error.what();
  }
  return result;
}

CaseResult Checker::check_determinism(const Case& test, const Conditions& conditions) {
  const Pattern& pattern = catalogue_.pattern(test.problem.pattern);
  const std::vector<Buffer> observed = observed_buffers(pattern, test.problem, device_of(test));
  const std::vector<Bytes> inputs = generate_inputs(pattern, test.problem, test.input);
  Case again = test;
  if (is_host(test.target)) {
    again.schedule_seed = test.schedule_seed + 1;
    again.resident_blocks = 0;
  }
  CaseResult result;
  std::vector<std::vector<Bytes>> outputs;
  std::string noted;
  for (const Case& one : {test, again}) {
    Run done = run(one, test.problem, inputs, kPoison, false, conditions);
    add(result, done);
    if (done.verdict != Verdict::passed) return result;
    if (noted.empty()) noted = done.noted;
    outputs.push_back(std::move(done.outputs));
  }
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const std::string differs = difference(observed[i], outputs[0].at(i), outputs[1].at(i));
    if (differs.empty()) continue;
    result.verdict = Verdict::failed;
    result.detail = fmt::format("not deterministic: {}", differs);
    if (is_host(test.target))
      result.detail += fmt::format(" under schedules {}:{} and {}:{}", test.schedule_seed, test.resident_blocks,
                                   again.schedule_seed, again.resident_blocks);
    result.detail += noted;
    break;
  }
  return result;
}

CaseResult Checker::check_at_size(const Case& test) {
  const Pattern& pattern = catalogue_.pattern(test.problem.pattern);
  const Device device = device_of(test);
  const auto [plan, built, refusal] =
      worker::compile_plan(compiler_, test.target, test.kernel->plan(test.params, test.problem, device),
                           program_for(catalogue_, *test.kernel, test.params, test.problem, device));
  if (!refusal.empty()) return {.verdict = Verdict::not_compiled, .detail = refusal};
  const CompiledProgram support =
      compiled_or_throw(compiler_, device, gpu::support_program(problem_types(pattern, test.problem, device)),
                        "the runtime's device code");
  gpu::GpuInfo gpu;
  gpu.device = device;
  gpu.index = gpu_->index;
  worker::GpuClient client(gpu, support);
  client.select("", problem_setup(pattern, test.problem, {test.input}, device, compiler_),
                slow_bus_us(pattern.work(test.problem)));
  const double depth = test.kernel->depth(test.params, test.problem, device);
  const gpu::Outcome outcome =
      client
          .trial({.plan = plan,
                  .built = built,
                  .bounds = problem_bounds(pattern, test.problem, device, {test.input}, depth)},
                 true, {.count = 0})
          .outcome;
  return {.verdict = outcome.verdict, .detail = outcome.detail, .error_ratio = outcome.error_ratio};
}

bool Checker::is_for_session(const Case& test) const {
  if (is_host(test.target) || !test.law.empty()) return false;
  const Work work = catalogue_.pattern(test.problem.pattern).work(test.problem);
  return work.bytes_read + work.bytes_written > kMostBytes || work.steps > kMostSteps;
}

CaseResult Checker::check(const Case& test, const Limits& limits) {
  return with_other_poison(test, check_as_is(test, {.limits = limits}), limits);
}

CaseResult Checker::with_other_poison(const Case& test, CaseResult result, const Limits& limits) {
  const auto read = std::ranges::find(result.tolerated, StrictRule::discarded_read, &Tolerated::rule);
  if (read == result.tolerated.end() || !result.is_right()) return result;
  const Tolerated discarded = *read;
  // As floats these are huge, one of each sign; as integers too.
  for (const int poison : {0x7e, 0xfd}) {
    const CaseResult other = check_as_is(test, {.limits = limits, .poison = poison});
    result.steps += other.steps;
    result.threads += other.threads;
    result.seconds += other.seconds;
    if (other.is_right()) continue;
    result.verdict = other.verdict;
    result.finding = FindingKind::uninitialised_read;
    result.found = discarded.found;
    result.detail = fmt::format("{}; and the result depends on what was there: {}", discarded.text, other.detail);
    break;
  }
  return result;
}

CaseResult Checker::check_as_is(const Case& test, const Conditions& conditions) {
  if (const auto refused = refusal_of(test, device_of(test)))
    return {.verdict = refused->verdict, .detail = refused->reason};
  if (is_for_session(test)) return check_at_size(test);
  if (test.law.empty()) {
    const Pattern& pattern = catalogue_.pattern(test.problem.pattern);
    try {
      return check_oracle(test, oracle_answer(pattern, test.problem, test.input, process_, compiler_), nullptr,
                          conditions);
    } catch (const OracleFault& fault) {
      return check_without_answer(test, Verdict::failed, fault.what(), nullptr, conditions);
    }
  }
  return test.law == kDeterminism ? check_determinism(test, conditions) : check_law(test, conditions);
}

CaseResult Checker::check_and_count(const Case& test, const OracleAnswer& answer,
                                    std::optional<CountedAccess>& access) {
  return with_other_poison(test, check_oracle(test, answer, &access, {.limits = limits_}), limits_);
}

}  // namespace warpwright::conformance
