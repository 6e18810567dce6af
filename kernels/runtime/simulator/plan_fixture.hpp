// For tests of patterns: compiles the kernels of a plan from the catalogue's sources and runs it in the simulator.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/simulator/module/compile.hpp"
#include "kernels/runtime/simulator/module/compile_host_functions.hpp"
#include "kernels/runtime/simulator/simulate.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::simulator {

struct PlanRun {
  Execution execution;
  std::map<std::string, std::vector<std::byte>> buffers;  ///< after the plan, by name
};

/// The module of a program, with `text` after its source, compiled once.
inline const Module& program_module(const Program& program, const std::string& text) {
  static std::map<std::string, Module> modules;
  const std::string key = fmt::format("{}\n{}\n{}\n{}", program.source, text, fmt::join(program.entries, "\n"),
                                      fmt::join(program.constants, "\n"));
  if (const auto known = modules.find(key); known != modules.end()) return known->second;
  CompileRequest request{.sources = catalogue().sources(),
                         .headers = program.with,
                         .entries = program.entries,
                         .constants = program.constants};
  request.headers.emplace_back("test.cuh");
  request.sources["test.cuh"] = fmt::format("#include \"{}\"\n#line 1\n{}", program.source, text);
  const TemporaryFolder folder;
  const auto path = folder / "module.so";
  if (const CompileResult result = compile(request, path); !result.ok()) throw std::runtime_error(result.log);
  return modules.emplace(key, Module(path)).first->second;
}

/// The module of the host functions that a plan's steps call, compiled once; none if the plan calls none.
inline const HostFunctions* plan_host_functions(const Plan& plan) {
  static std::map<HostFunctionSources, HostFunctions> modules;
  const HostFunctionSources functions = host_functions_of(plan);
  if (functions.empty()) return nullptr;
  if (const auto known = modules.find(functions); known != modules.end()) return &known->second;
  CompileRequest request{.sources = catalogue().sources(), .headers = {}};
  std::set<std::string> headers;
  for (const auto& [function, source] : functions) {
    request.entries.push_back(function);
    headers.insert(source);
  }
  request.headers.assign(headers.begin(), headers.end());
  const TemporaryFolder folder;
  const auto path = folder / "work.so";
  if (const CompileResult result = compile_host_functions(request, path); !result.ok())
    throw std::runtime_error(result.log);
  return &modules.emplace(functions, HostFunctions(path)).first->second;
}

/// Runs the steps of a plan, whose entries are in `source` or in `text`, which follows it. `contents` are the first
/// buffers of the plan; the others are zero. Throws std::runtime_error with the compiler's log.
inline PlanRun run_plan(const Plan& plan, const std::string& source, std::vector<std::vector<std::byte>> contents,
                        const SimulationOptions& options = {}, const std::string& text = "") {
  const Module& module = program_module(program_of(plan, source), text);
  for (std::size_t i = contents.size(); i < plan.buffers.size(); ++i)
    contents.emplace_back(static_cast<std::size_t>(plan.buffers[i].bytes()));
  PlanRun run{.execution = simulate(plan, module, contents, options, plan_host_functions(plan)), .buffers = {}};
  for (std::size_t i = 0; i < contents.size(); ++i) run.buffers[plan.buffers[i].name] = std::move(contents[i]);
  return run;
}

}  // namespace warpwright::simulator
