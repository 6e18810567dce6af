// For tests of the SIMT executor: compiles kernels that are given as text, once per text, and runs them.
#include "kernels/runtime/host/kernel_fixture.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace warpwright::host {
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
  std::map<std::string, std::string> sources = {
      {"kernels/runtime/device.cuh", text_of(source_root / "kernels/runtime/device.cuh")}};
  for (const auto& file : std::filesystem::directory_iterator(source_root / "kernels/runtime/host")) {
    if (file.path().extension() != ".cuh") continue;
    sources["kernels/runtime/host/" + file.path().filename().string()] = text_of(file.path());
  }
  return sources;
}

const Module& module_of(const std::string& text, const std::vector<std::string>& entries,
                        const std::vector<std::string>& constants) {
  static std::map<std::string, Module> modules;
  std::string key = text;
  for (const auto& name : entries) key += '\n' + name;
  if (const auto known = modules.find(key); known != modules.end()) return known->second;

  CompileRequest request{
      .sources = device_headers(), .headers = {"kernel.cuh"}, .entries = entries, .constants = constants};
  request.sources["kernel.cuh"] = "#include \"kernels/runtime/device.cuh\"\n#line 1\n" + text;
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("warpwright-host-test-{}-{}.so", getpid(), modules.size());
  const CompileResult result = compile(request, path);
  if (!result.ok()) throw std::runtime_error(result.log);
  // Names and lines are read on demand, so the file stays until the process is over.
  static struct Cleaner {
    std::vector<std::filesystem::path> paths;
    ~Cleaner() {
      for (const auto& file : paths) std::filesystem::remove(file);
    }
  } cleaner;
  cleaner.paths.push_back(path);
  return modules.emplace(key, Module(path)).first->second;
}

int line_of(const std::string& text, const std::string& marker) {
  const auto at = text.find(marker);
  if (at == std::string::npos) throw std::invalid_argument("no marker " + marker);
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

Plan Experiment::plan() const {
  Launch launch{.entry = entry,
                .grid = grid,
                .block = block,
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

Execution Experiment::run(const ExecuteOptions& options) {
  return execute(plan(), module_of(text, {entry}), contents, options);
}

Execution Experiment::run(std::uint64_t seed, int resident_blocks) {
  ExecuteOptions options;
  options.schedule = {.seed = seed, .resident_blocks = resident_blocks};
  return run(options);
}

std::string words_of(const Execution& execution) {
  std::string text;
  for (const Finding& finding : execution.findings) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} at {}", word_of(finding.kind), finding.place.line);
  }
  return text;
}

}  // namespace warpwright::host
