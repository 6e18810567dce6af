// The right outputs for an input: from the pattern's oracle, or from its reference, run in the simulator.
#include "conformance/checks/oracle_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <utility>

#include "conformance/checks/run_plan.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/build/compiled_plan.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright::conformance {
namespace {

/// The buffers of a reference's plan are named after those of the problem: 'out.result.host'.
std::string with_own_names(const std::string& message) {
  static const std::regex suffixes(
      R"re('([A-Za-z_0-9]+)(\.(result|terms|nudged[0-7]|known|again|expected|magnitude|host|for\.[A-Za-z_0-9]+))+')re");
  static const std::regex seeded(R"(warpwright::job::seeded<(.*?)>::call)");
  return std::regex_replace(std::regex_replace(message, suffixes, "'$1'"), seeded, "$1");
}

/// Throws NoModel with its pattern, or OracleFault.
Expectation reference_answer(const Pattern& pattern, const Problem& problem, const std::vector<Bytes>& inputs,
                             worker::Process& process, worker::Compiler& compiler, std::uint8_t poison) {
  const Reference reference = pattern.reference(problem, host_device());
  try {
    const worker::CompiledPlan compiled =
        worker::compile_plan(compiler, host_target(), reference.plan, reference.source);
    if (const std::string reason = compiled.no_model(); !reason.empty()) throw NoModel(reason);
    if (!compiled.refusal.empty()) throw std::runtime_error(compiled.refusal);
    auto written =
        run_plan_on_host(process, compiled.plan, compiled.program, inputs, host_device(), all_strict_rules(), poison);
    Expectation expected;
    for (const Buffer& buffer : observed_buffers(pattern, problem, host_device())) {
      expected.push_back({.buffer = buffer.name, .values = std::move(written.at(buffer.name + ".expected"))});
      if (const auto magnitude = written.find(buffer.name + ".magnitude"); magnitude != written.end())
        expected.back().magnitude = elements_of<double>(magnitude->second);
    }
    return expected;
  } catch (const NoModel& what) {
    throw NoModel(fmt::format("the oracle of {} has no answer: {}", pattern.name, what.what()));
  } catch (const std::runtime_error& error) {
    throw OracleFault(false, pattern.name, problem_text(problem), with_own_names(error.what()));
  }
}

}  // namespace

OracleFault::OracleFault(bool of_data, std::string of, std::string on, std::string why)
    : std::runtime_error(fmt::format("the {} of {} itself failed on {}: {}", of_data ? "data" : "oracle", of, on, why)),
      is_of_data(of_data),
      pattern(std::move(of)),
      problem(std::move(on)),
      reason(std::move(why)) {}

std::vector<WrongOracle> wrong_oracles(const std::vector<const Pattern*>& patterns, worker::Compiler& compiler) {
  struct Tried {
    const Pattern* pattern = nullptr;
    const char* what = "";
    Program program;
  };
  std::vector<Tried> all;
  for (const Pattern* pattern : patterns) {
    const Problem problem = make_problem(*pattern, pattern->types.front(), {}, pattern->tuning_shapes.front());
    if (const Plan data = function_fill_plan(*pattern, problem, {.kind = pattern->data.front().name});
        !data.steps.empty())
      all.push_back({pattern, "data", fill_program({data}, {})});
    if (pattern->oracle) continue;
    const Reference reference = pattern->reference(problem, host_device());
    if (std::ranges::any_of(reference.plan.steps,
                            [](const Step& step) { return std::holds_alternative<HostWork>(step.what); }))
      all.push_back({pattern, "oracle", program_of(reference.plan, reference.source)});
  }
  for (const Tried& one : all) compiler.compile(host_target(), {one.program});
  std::vector<WrongOracle> wrong;
  for (const auto& [pattern, what, program] : all) {
    const CompiledProgram built = compiler.compile_one(host_target(), program);
    if (built.ok) continue;
    std::string words;
    std::istringstream lines(built.log);
    for (std::string line; std::getline(lines, line);)
      if (line.find("In file included from module.cpp") == std::string::npos) words += "\n" + line;
    wrong.push_back({pattern, fmt::format("the {} of {} does not compile:{}", what, pattern->name, words)});
  }
  return wrong;
}

std::vector<Bytes> input_bytes(const Pattern& pattern, const Problem& problem, const Input& input,
                               worker::Process& process, worker::Compiler& compiler) {
  std::vector<Bytes> inputs = generate_inputs(pattern, problem, input);
  if (std::ranges::none_of(inputs, &Bytes::empty)) return inputs;
  const Plan calls = function_fill_plan(pattern, problem, input);
  if (calls.steps.empty()) return inputs;
  try {
    const worker::CompiledPlan compiled =
        worker::compile_plan(compiler, host_target(), calls, fill_program({calls}, {}));
    if (!compiled.refusal.empty()) throw std::runtime_error(compiled.refusal);
    auto filled = run_plan_on_host(process, compiled.plan, compiled.program, {});
    std::size_t next = 0;
    for (const Buffer& buffer : pattern.buffers(problem))
      if (buffer.is_input())
        if (Bytes& bytes = inputs.at(next++); buffer.count > 0 && filled.contains(buffer.name))
          bytes = std::move(filled.at(buffer.name));
  } catch (const std::runtime_error& error) {
    throw OracleFault(true, pattern.name, problem_text(problem), with_own_names(error.what()));
  }
  return inputs;
}

OracleAnswer oracle_answer(const Pattern& pattern, const Problem& problem, const Input& input, worker::Process& process,
                           worker::Compiler& compiler, std::uint8_t poison) {
  return oracle_answer(pattern, problem, input_bytes(pattern, problem, input, process, compiler), process, compiler,
                       poison);
}

OracleAnswer oracle_answer(const Pattern& pattern, const Problem& problem, std::vector<Bytes> inputs,
                           worker::Process& process, worker::Compiler& compiler, std::uint8_t poison) {
  OracleAnswer answer{.inputs = std::move(inputs), .expected = {}};
  try {
    answer.expected = pattern.oracle ? pattern.oracle(problem, answer.inputs)
                                     : reference_answer(pattern, problem, answer.inputs, process, compiler, poison);
  } catch (const NoModel& what) {
    answer.unknown = what.what();
  }
  return answer;
}

}  // namespace warpwright::conformance
