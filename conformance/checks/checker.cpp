// Checks one case: in which order it is run, and which failure counts.
#include "conformance/checks/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "conformance/cases/comparison.hpp"
#include "conformance/checks/case_plan.hpp"
#include "conformance/checks/long_runs.hpp"
#include "conformance/checks/run_plan.hpp"
#include "conformance/checks/sampled_blocks.hpp"
#include "conformance/checks/wrong_element.hpp"
#include "kernels/runtime/build/compiled_plan.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright::conformance {
namespace {

/// Larger problems are compared with the reference, if the runner can.
constexpr double kMostBytes = 64e6, kMostSteps = 1e8;

bool is_large(const Work& work) {
  return work.bytes_read + work.bytes_written > kMostBytes || work.steps > kMostSteps;
}

std::vector<StrictRule> lenient_about(const Kernel& kernel, bool strict) {
  if (!strict) return {all_strict_rules().begin(), all_strict_rules().end()};
  std::vector<StrictRule> rules;
  for (const ToleratedRule& rule : kernel.lenient) rules.push_back(rule.what);
  return rules;
}

/// Why a compiled plan does not run: the simulator lacks a header, or the compiler refused it.
std::optional<Refusal> refusal_of(const worker::CompiledPlan& compiled) {
  if (const std::string reason = compiled.no_model(); !reason.empty())
    return Refusal{.verdict = Verdict::not_modelled, .reason = reason};
  if (!compiled.refusal.empty()) return Refusal{.verdict = Verdict::not_compiled, .reason = compiled.refusal};
  return std::nullopt;
}

}  // namespace

Checker::Checker(const Catalogue& catalogue, worker::Process& process, worker::Compiler& compiler,
                 const CheckerOptions& options)
    : Checker(catalogue, process, compiler, simulator_runner(process), options) {}

Checker::Checker(const Catalogue& catalogue, worker::Process& process, worker::Compiler& compiler, const GpuTarget& gpu,
                 const CheckerOptions& options)
    : Checker(catalogue, process, compiler, gpu_runner(catalogue, process, compiler, gpu), options) {}

Checker::Checker(const Catalogue& catalogue, worker::Process& process, worker::Compiler& compiler,
                 std::unique_ptr<CaseRunner> runner, const CheckerOptions& options)
    : catalogue_(catalogue), process_(process), compiler_(compiler), runner_(std::move(runner)), options_(options) {
  if (options_.answers == nullptr) options_.answers = std::make_shared<AnswerCache>();
  if (options_.pages == nullptr) options_.pages = std::make_shared<PageCache>();
}

bool Checker::is_noted_only(const Case& test, const CaseResult& result) const {
  if (!options_.strict || !options_.strict_shape || test.problem.shape == *options_.strict_shape || !result.found)
    return false;
  // A kernel that reads an output before it writes it could leave where the right answer is there already.
  const std::vector<Buffer> buffers = catalogue_.pattern(test.problem.pattern).buffers(test.problem);
  const auto is_read_output = [&](const Buffer& buffer) {
    return buffer.is_output() && buffer.name == result.found->buffer;
  };
  return result.finding != FindingKind::uninitialised_read || std::ranges::none_of(buffers, is_read_output);
}

template <class Attempt>
CaseResult Checker::at_shape(const Case& test, Attempt attempt) const {
  CaseResult result = attempt(options_.strict);
  if (!is_noted_only(test, result)) return result;
  // The rules also change what the simulator looks for, so the first run is the strict one.
  CaseResult lenient = attempt(false);
  return lenient.is_right() && !lenient.tolerated.empty() ? lenient : result;
}

void Checker::compile_ahead(const std::vector<Case>& cases) {
  if (!options_.compile_ahead || cases.empty()) return;
  std::vector<Program> programs;
  for (const Case& test : cases) {
    Program program = program_for(catalogue_, *test.kernel, test.params, test.problem, device_of(test));
    if (std::ranges::find(programs, program) == programs.end()) programs.push_back(std::move(program));
  }
  const Case& any = cases.front();
  const Pattern& pattern = catalogue_.pattern(any.problem.pattern);
  if (!pattern.oracle) {
    const Reference reference = pattern.reference(any.problem, host_device());
    compiler_.compile(host_target(), {program_of(reference.plan, reference.source)});
  }
  if (const NamedObservation* observation = find_observation(pattern, {})) {
    const Observation made = observation->of(any.problem, device_of(any));
    programs.push_back(program_of(made.plan, made.source));
  }
  compiler_.compile(any.target, programs);
}

void Checker::add(CaseResult& result, const Run& run) {
  result.steps += run.steps;
  result.blocks += run.blocks;
  result.threads += run.threads;
  result.seconds += run.seconds;
  result.of_limit = std::max(result.of_limit, run.of_limit);
  result.explored = run.explored;
  result.is_exhausted = run.is_exhausted;
  result.verdict = run.verdict;
  result.finding = run.found ? std::optional(run.found->kind) : std::nullopt;
  result.found = run.found;
  result.detail = run.detail;
  for (const Tolerated& finding : run.tolerated)
    if (std::ranges::none_of(result.tolerated, [&](const Tolerated& one) {
          return one.rule == finding.rule && one.location == finding.location;
        }))
      result.tolerated.push_back(finding);
  for (const simulator::Finding& found : run.arithmetic)
    if (std::ranges::none_of(result.arithmetic,
                             [&](const simulator::Finding& one) { return is_at_line_of(one, found); }))
      result.arithmetic.push_back(found);
  result.exchanged.insert(result.exchanged.end(), run.exchanged.begin(), run.exchanged.end());
}

worker::CompiledPlan Checker::compiled(const Case& test, const Problem& problem) {
  const Device device = device_of(test);
  return worker::compile_plan(compiler_, test.target, test.kernel->plan(test.params, problem, device),
                              program_for(catalogue_, *test.kernel, test.params, problem, device));
}

Checker::Run Checker::run(const Case& test, const Problem& problem, const std::vector<Bytes>& inputs,
                          std::uint8_t poison, bool count_accesses, const Conditions& conditions, int runs) {
  const worker::CompiledPlan plan = compiled(test, problem);
  if (const auto refused = refusal_of(plan)) return {{.verdict = refused->verdict, .detail = refused->reason}, {}};
  const std::vector<Buffer>& buffers = plan.plan.buffers;
  Run done{
      runner_->run({.test = test,
                    .compiled = plan,
                    .buffers = filled(plan.plan, inputs, poison),
                    .steps = most_steps_of(catalogue_.pattern(problem.pattern), *test.kernel, test.params, problem),
                    .limits = conditions.limits,
                    .lenient = lenient_about(*test.kernel, conditions.strict),
                    .poison = conditions.poison,
                    .matrix_adder = conditions.matrix_adder,
                    .contracts = conditions.contracts,
                    .count_accesses = count_accesses,
                    .explored = conditions.explored,
                    .runs = runs}),
      {},
      {}};
  if (done.verdict != Verdict::passed) return done;
  const auto observed = [&](std::vector<Bytes>& left) {
    std::vector<Bytes> outputs;
    for (std::size_t i = 0; i < buffers.size(); ++i)
      if (buffers[i].is_output()) outputs.push_back(std::move(left.at(i)));
    return observe(test, problem, inputs, outputs, poison);
  };
  done.outputs = observed(done.buffers);
  for (std::vector<Bytes>& other : done.others) done.other_outputs.push_back(observed(other));
  return done;
}

std::vector<Bytes> Checker::observe(const Case& test, const Problem& problem, const std::vector<Bytes>& inputs,
                                    const std::vector<Bytes>& outputs, std::uint8_t poison) {
  const Pattern& pattern = catalogue_.pattern(problem.pattern);
  const NamedObservation* named = find_observation(pattern, {});
  if (named == nullptr) return outputs;
  const Observation observation = named->of(problem, device_of(test));
  try {
    const worker::CompiledPlan compiled =
        worker::compile_plan_or_throw(compiler_, test.target, observation.plan, observation.source);
    const auto given = given_to(observation, pattern.buffers(problem), inputs, outputs, poison);
    return observed_by(observation, runner_->run_plan(compiled, given, device_of(test)));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("the observation '{}' of {} failed on {}: {}", named->name, pattern.name,
                                         problem_text(problem), error.what()));
  }
}

CaseResult Checker::check_oracle(const Case& test, const OracleAnswer& answer, std::optional<CountedAccess>* access,
                                 const Conditions& conditions) {
  if (!answer.unknown.empty()) {
    if (auto checked = runner_->check_by_reference(test)) return *std::move(checked);
    return check_without_answer(test, Verdict::not_modelled, answer.unknown, access, conditions);
  }
  const Pattern& pattern = catalogue_.pattern(test.problem.pattern);
  const Device device = device_of(test);
  const std::vector<Buffer> observed = observed_buffers(pattern, test.problem, device);
  const double depth = test.kernel->depth(test.params, test.problem, device);
  const InputKind kind = input_kind(pattern, test.problem, test.input.kind);
  std::vector<Bound> bounds;
  for (const Buffer& buffer : observed) bounds.push_back(pattern.bound(test.problem, buffer.name, kind, depth));
  if (conditions.audit != nullptr)
    audit_case(*conditions.audit, {pattern, test.problem, test.input, answer, observed, bounds}, process_, compiler_);
  CaseResult result;
  ComparisonResult compared;
  bool is_unwritten = false;
  std::string hints;
  ComparisonResult second;
  for (const std::uint8_t poison : {conditions.filled(), kOtherPoison}) {
    const Run done = run(test, test.problem, answer.inputs, poison, access != nullptr, conditions);
    add(result, done);
    if (done.verdict != Verdict::passed) return result;
    if (access != nullptr) *access = done.access;
    hints = done.hints + done.warning;
    const ComparisonResult before = std::move(compared);
    const auto compare = [&](const std::vector<Bytes>& outputs) {
      return compare_outputs(observed, answer.expected, outputs, bounds, poison, element_names(pattern, test.problem));
    };
    compared = compare(done.outputs);
    for (const std::vector<Bytes>& other : done.other_outputs)
      if (!second.failed()) second = compare(other);
    result.error_ratio = std::max(result.error_ratio, compared.error_ratio);
    result.accuracy.add(compared.accuracy);
    if (poison == kOtherPoison) {
      // If there was no failure before, the first poison equals the expected value of the element.
      is_unwritten =
          compared.is_poison && (!before.failed() || (before.is_poison && before.element == compared.element));
      // A result that is wrong with one poison is wrong.
      if (before.failed()) compared = before;
    }
    if (!compared.equals_poison && !compared.is_poison) break;
  }
  const bool is_second = !compared.failed() && second.failed();
  if (is_second) {
    compared = std::move(second);
    is_unwritten = compared.is_poison;
    hints = conditions.explored > 0 ? fmt::format("; note: not in all of {} executions", result.explored)
                                    : "; note: only the second of two runs is wrong: the first one left other values "
                                      "in variables of the module" +
                                          hints;
  }
  result.verdict = compared.verdict;
  result.detail = compared.detail;
  if (compared.failed())
    result.detail = describe_wrong(pattern, test, answer, compared, is_unwritten, process_, compiler_) + hints;
  return result;
}

CaseResult Checker::check_without_answer(const Case& test, Verdict otherwise, const std::string& why,
                                         std::optional<CountedAccess>* access, const Conditions& conditions) {
  CaseResult result;
  const std::vector<Bytes> inputs =
      input_bytes(catalogue_.pattern(test.problem.pattern), test.problem, test.input, process_, compiler_);
  const Run done = run(test, test.problem, inputs, conditions.filled(), access != nullptr, conditions);
  add(result, done);
  if (done.verdict != Verdict::passed) return result;
  if (access != nullptr) *access = done.access;
  result.verdict = otherwise;
  result.detail = why;
  return result;
}

CaseResult Checker::check_equal_bits(const Case& test, int runs, int from, const Stop& stop) {
  if (const auto refused = refusal_of(test, device_of(test)))
    return {.verdict = refused->verdict, .detail = refused->reason};
  return at_shape(test, [&](bool strict) { return check_determinism(test, {.strict = strict}, runs, from, stop); });
}

CaseResult Checker::check(const Case& test, const RunLimits& limits, Audit* audit) {
  return at_shape(test,
                  [&](bool strict) { return check_under(test, {.limits = limits, .strict = strict, .audit = audit}); });
}

CaseResult Checker::told_from_hang(const Case& test, CaseResult result, const Conditions& conditions) {
  if (result.finding != FindingKind::too_much_work) return result;
  std::string words;
  if (!conditions.limits.beyond_hangs)
    words = hang_words(test, result, [&](const Case& one) { return check_as_is(one, conditions); });
  const bool hangs = conditions.limits.beyond_hangs || !words.empty();
  if (!hangs) words = ": if the kernel needs more, state `work` in the job file, or check smaller cases (--max-steps)";
  const std::string before = describe(*result.found);
  result.found->message += words;
  if (hangs) {
    result.finding = result.found->kind = FindingKind::hang;
    result.verdict = Verdict::timed_out;
  }
  result.detail.replace(0, before.size(), describe(*result.found));
  return result;
}

CaseResult Checker::check_under(const Case& test, Conditions conditions) {
  CaseResult result = check_as_is(test, conditions);
  conditions.audit = nullptr;
  return with_other_poison(test, told_from_hang(test, std::move(result), conditions), conditions);
}

std::string Checker::tolerance_of(const Case& test, const CaseResult& result, const RunLimits& limits) {
  if (!options_.strict || !result.found) return {};
  const CaseResult lenient = check_under(test, {.limits = limits, .strict = false});
  if (!lenient.is_right()) return {};
  std::string rules;
  for (const Tolerated& one : lenient.tolerated)
    if (rules.find(word_of(one.rule)) == std::string::npos)
      rules += fmt::format("{}\"{}\": \"REASON\"", rules.empty() ? "" : ", ", word_of(one.rule));
  if (rules.empty()) return {};
  return fmt::format("; note: {}--strict off tolerates it",
                     test.kernel->file.empty() ? "" : fmt::format("\"strict\": {{{}}} in the job file or ", rules));
}

CaseResult Checker::with_other_poison(const Case& test, CaseResult result, Conditions conditions) {
  const auto read = std::ranges::find(result.tolerated, StrictRule::discarded_read, &Tolerated::rule);
  const bool is_discarded = read != result.tolerated.end();
  if ((!is_discarded && result.exchanged.empty()) || !result.is_right()) return result;
  const simulator::Finding discarded = is_discarded ? read->found : result.exchanged.front();
  const std::string words = is_discarded ? read->text : describe(discarded);
  // As floats these are huge, one of each sign; as integers too.
  for (const int poison : {0x7e, 0xfd}) {
    conditions.poison = poison;
    const CaseResult other = check_as_is(test, conditions);
    result.steps += other.steps;
    result.threads += other.threads;
    result.seconds += other.seconds;
    if (other.is_right()) continue;
    result.verdict = other.verdict;
    result.finding = FindingKind::uninitialised_read;
    result.found = discarded;
    result.detail = fmt::format("{}; and the result depends on what was there: {}", words, other.detail);
    break;
  }
  return result;
}

CaseResult Checker::check_as_is(const Case& test, const Conditions& conditions) {
  try {
    return check_with_data(test, conditions);
  } catch (const OracleFault& fault) {
    return {.verdict = Verdict::failed, .detail = fault.what()};
  }
}

CaseResult Checker::check_with_data(const Case& test, const Conditions& conditions) {
  if (const auto refused = refusal_of(test, device_of(test)))
    return {.verdict = refused->verdict, .detail = refused->reason};
  if (test.law == kSampled) {
    const worker::CompiledPlan plan = compiled(test, test.problem);
    if (const auto refused = refusal_of(plan)) return {.verdict = refused->verdict, .detail = refused->reason};
    return check_blocks(catalogue_.pattern(test.problem.pattern), test, plan, device_of(test), process_,
                        lenient_about(*test.kernel, conditions.strict));
  }
  if (test.law == kAllSchedules) {
    Case once = test;
    once.law.clear();
    Conditions all = conditions;
    all.explored = kMostExplored;
    return check_as_is(once, all);
  }
  if (test.law.empty()) {
    const Pattern& pattern = catalogue_.pattern(test.problem.pattern);
    if (is_large(pattern.work(test.problem)))
      if (auto checked = runner_->check_by_reference(test)) return *std::move(checked);
    try {
      const AnswerCache::Answer answer = options_.answers->answer(test.problem, test.input, [&] {
        return oracle_answer(pattern, test.problem, test.input, process_, compiler_);
      });
      return check_oracle(test, *answer, nullptr, conditions);
    } catch (const OracleFault& fault) {
      if (fault.is_of_data) throw;
      return check_without_answer(test, Verdict::failed, fault.what(), nullptr, conditions);
    }
  }
  if (test.law == kDeterminism) return check_determinism(test, conditions);
  if (std::optional<CaseResult> result = check_law(test, conditions)) return *std::move(result);
  Case without_law = test;
  without_law.law.clear();
  return check_as_is(without_law, conditions);
}

CaseResult Checker::check_and_count(const Case& test, const OracleAnswer& answer,
                                    std::optional<CountedAccess>& access) {
  return at_shape(test, [&](bool strict) {
    const Conditions conditions{.strict = strict};
    return with_other_poison(test, told_from_hang(test, check_oracle(test, answer, &access, conditions), conditions),
                             conditions);
  });
}

CaseResult Checker::count_blocks(const Case& test, std::optional<CountedAccess>& access) {
  if (const auto refused = refusal_of(test, device_of(test)))
    return {.verdict = refused->verdict, .detail = refused->reason};
  const worker::CompiledPlan plan = compiled(test, test.problem);
  if (const auto refused = refusal_of(plan)) return {.verdict = refused->verdict, .detail = refused->reason};
  return conformance::count_blocks(catalogue_.pattern(test.problem.pattern), test, plan, device_of(test), process_,
                                   *options_.pages, access);
}

}  // namespace warpwright::conformance
