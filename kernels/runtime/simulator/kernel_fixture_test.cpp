// For tests of the simulator: compiles kernels that are given as text, once per text, and runs them.
#include "kernels/runtime/simulator/kernel_fixture.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "kernels/system/temporary_folder.hpp"

namespace warpwright::simulator {
namespace {

const std::filesystem::path source_root = WARPWRIGHT_SOURCE_DIR;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

std::map<std::string, std::string> device_headers() {
  std::map<std::string, std::string> sources;
  for (const std::string folder : {"kernels/runtime", "kernels/runtime/common", "kernels/runtime/cpu_model",
                                   "kernels/runtime/cpu_headers", "kernels/runtime/host_steps"}) {
    for (const auto& file : std::filesystem::directory_iterator(source_root / folder)) {
      if (file.path().extension() != ".cuh") continue;
      sources[folder + "/" + file.path().filename().string()] = text_of(file.path());
    }
  }
  return sources;
}

const Module& module_of(const std::string& text, const std::vector<std::string>& entries,
                        const std::vector<std::string>& constants) {
  static std::map<std::string, Module> modules;
  std::string key = text;
  for (const auto& name : entries) key += '\n' + name;
  for (const auto& name : constants) key += "\n&" + name;
  if (const auto known = modules.find(key); known != modules.end()) return known->second;

  CompileRequest request{.sources = device_headers(),
                         .headers = {"kernels/runtime/device.cuh", "kernel.cuh"},
                         .entries = entries,
                         .constants = constants};
  request.sources["kernel.cuh"] = text;
  const TemporaryFolder folder;
  const auto path = folder / "module.so";
  const CompileResult result = compile(request, path);
  if (!result.ok()) throw std::runtime_error(result.log);
  return modules.emplace(key, Module(path)).first->second;
}

int line_of(const std::string& text, const std::string& marker) {
  const auto at = text.find(marker);
  if (at == std::string::npos) throw std::invalid_argument("no marker " + marker);
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::string with(std::string text, const std::string& what, const std::string& instead) {
  const auto at = text.find(what);
  if (at == std::string::npos) throw std::invalid_argument("nothing to replace: " + what);
  return text.replace(at, what.size(), instead);
}

Plan Experiment::plan() const {
  Launch launch{.entry = entry,
                .grid = grid,
                .block = block,
                .cluster = cluster,
                .shared_bytes = shared_bytes,
                .arguments = {},
                .cooperative = cooperative};
  for (const Buffer& buffer : buffers) launch.arguments.emplace_back(pointer_to(buffer.name));
  for (const ValueArgument& value : values) launch.arguments.emplace_back(value);
  Plan plan;
  plan.buffers = buffers;
  plan.steps.push_back({.what = launch});
  return plan;
}

Execution Experiment::run(const SimulationOptions& options) {
  SimulationOptions own = options;
  if (capability != 0) own.device.compute_capability = capability;
  return simulate(plan(), module_of(text, {entry}), contents, own);
}

Execution Experiment::run(std::uint64_t seed, int resident_blocks) {
  SimulationOptions options;
  options.schedule = {.seed = seed, .resident_blocks = resident_blocks};
  return run(options);
}

Experiment two_buffers(const std::string& text, std::uint32_t block, std::size_t count) {
  Experiment experiment{.text = text, .entry = "kernel", .block = {block}};
  experiment.with("first", Role::inout, ElementType::f32, std::vector<float>(count, 1.0f));
  experiment.with("second", Role::inout, ElementType::f32, std::vector<float>(count, 2.0f));
  return experiment;
}

Finding expect_finding(const Experiment& experiment, FindingKind kind, const std::string& marker,
                       const SimulationOptions& base) {
  Finding finding;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Experiment copy = experiment;
    SimulationOptions options = base;
    options.schedule.seed = seed;
    const Execution execution = copy.run(options);
    if (execution.findings.empty()) {
      ADD_FAILURE() << "nothing found under seed " << seed;
      continue;
    }
    finding = execution.findings[0];
    EXPECT_EQ(word_of(finding.kind), word_of(kind)) << describe(finding);
    EXPECT_EQ(finding.location.file, "kernel.cuh");
    EXPECT_EQ(finding.location.line, line_of(experiment.text, marker)) << describe(finding);
    EXPECT_EQ(finding.entry, experiment.entry);
  }
  return finding;
}

Experiment over_buffers(const std::string& text, Dim3 grid, Dim3 block, std::size_t count) {
  Experiment experiment{.text = "__global__ void kernel(int* a, int* b, unsigned* flags, int* s) {\n" + text + "\n}\n",
                        .entry = "kernel",
                        .grid = grid,
                        .block = block};
  experiment.with("a", Role::inout, ElementType::i32, std::vector<int>(count, 1));
  experiment.with("b", Role::out, ElementType::i32, std::vector<int>(count, 0));
  experiment.with("flags", Role::inout, ElementType::u32, std::vector<unsigned>(count, 0));
  experiment.with("s", Role::scratch, ElementType::i32, std::vector<int>(count, 0));
  return experiment;
}

std::set<std::pair<int, int>> races_of(const Experiment& experiment) {
  std::set<std::pair<int, int>> lines;
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    Experiment copy = experiment;
    const Execution execution = copy.run(seed);
    bool found = false;
    for (const Finding& finding : execution.findings) {
      if (finding.kind != FindingKind::race) continue;
      found = true;
      lines.insert(std::minmax(finding.location.line, finding.other.line));
      EXPECT_NE(std::pair(finding.location.block.x, finding.location.thread.x),
                std::pair(finding.other.block.x, finding.other.thread.x));
    }
    EXPECT_TRUE(found) << "no race under seed " << seed << ": " << summary_of(execution);
  }
  return lines;
}

void expect_silent(const Experiment& experiment) {
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    Experiment copy = experiment;
    SimulationOptions options;
    options.schedule = {.seed = seed, .stale_loads = 1000, .stale_end = 1000};
    const Execution execution = copy.run(options);
    ASSERT_EQ(summary_of(execution), "") << describe(execution.findings[0]) << " under seed " << seed;
  }
}

std::string summary_of(const Execution& execution) {
  std::string text;
  for (const Finding& finding : execution.findings) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} at {}", word_of(finding.kind), finding.location.line);
  }
  return text;
}

}  // namespace warpwright::simulator
