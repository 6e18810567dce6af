// Runs the rows of the table of built-ins in the simulator and on a GPU, and tests that this works.
#include "kernels/runtime/built_in_tests/trial.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "kernels/runtime/built_in_tests/inputs.hpp"
#include "kernels/runtime/cuda/nvrtc.hpp"
#include "kernels/runtime/cuda/plan_runner.hpp"
#include "kernels/runtime/simulator/module/compile.hpp"
#include "kernels/runtime/simulator/simulate.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::built_ins {
namespace {

namespace fs = std::filesystem;

std::string text_of(const Group& group) {
  std::string text = "#pragma once\n#include \"kernels/runtime/device.cuh\"\n";
  if (group.with_halves) text += "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n";
  text += R"(
namespace warpwright::trial {
template <class A, class B>
inline constexpr bool same = false;
template <class A>
inline constexpr bool same<A, A> = true;
template <class T>
__device__ T* put(void* to, T value) {
  *static_cast<T*>(to) = value;
  return static_cast<T*>(to);
}
template <class T>
__device__ void keep(unsigned long long* out, const T& value) {
  *reinterpret_cast<T*>(out) = value;
}
)";
  std::string calls;
  for (std::size_t k = 0; k < group.rows.size(); ++k) {
    const Row& row = group.rows[k];
    text += fmt::format(
        "__device__ __noinline__ void row_{}(const unsigned long long* in, unsigned long long* out, void* cell, int i) "
        "{{\n",
        k);
    for (std::size_t place = 0; place < row.arguments.size(); ++place) {
      const int kind = kind_of(row.arguments[place]);
      const char name = static_cast<char>('a' + place);
      const std::string& type = kinds()[static_cast<std::size_t>(kind)].type;
      text +=
          fmt::format("  const auto* p{0} = reinterpret_cast<const {1}*>(in + {2} + {3} * i);\n  {1} {0} = *p{0};\n",
                      name, type, input_at(kind, static_cast<int>(place), 0), kWords);
    }
    text += fmt::format(
        "  decltype(auto) result = {};\n  static_assert(same<decltype(result), {}>);\n  keep(out + {} + {} * i, "
        "result);\n}}\n",
        row.call, row.result, result_at(k, 0), kWords);
    calls += fmt::format("  row_{}(in, out, cell, i);\n", k);
  }
  text +=
      "__global__ void table(const unsigned long long* in, unsigned long long* out, unsigned long long* cells) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
  text += fmt::format("  void* const cell = cells + {} * i;\n{}}}\n}}\n", kWords, calls);
  return text;
}

constexpr int kBlock = 128;

Plan plan_of(const Group& group) {
  const auto words = [](const std::string& name, Role role, std::size_t count) {
    return Buffer{.name = name, .role = role, .type = ElementType::u64, .count = static_cast<std::int64_t>(count)};
  };
  Plan plan{
      .buffers = {words("in", Role::in, inputs().size()), words("out", Role::inout, result_at(group.rows.size(), 0)),
                  words("cells", Role::inout, static_cast<std::size_t>(kCases) * kWords)},
      .steps = {}};
  plan.steps.push_back({.what = Launch{.entry = kEntry,
                                       .grid = {.x = kCases / kBlock},
                                       .block = {.x = kBlock},
                                       .arguments = {pointer_to("in"), pointer_to("out"), pointer_to("cells")}}});
  return plan;
}

std::vector<std::vector<std::byte>> contents_of(const Plan& plan) {
  std::vector<std::vector<std::byte>> contents;
  for (const Buffer& buffer : plan.buffers) contents.emplace_back(static_cast<std::size_t>(buffer.bytes()));
  const auto words = inputs();
  std::memcpy(contents[0].data(), words.data(), contents[0].size());
  return contents;
}

Results results_of(const std::vector<std::byte>& bytes) {
  Results results(bytes.size() / sizeof(std::uint64_t));
  std::memcpy(results.data(), bytes.data(), bytes.size());
  return results;
}

gpu::Cubin compiled(const Group& group, const std::string& target) {
  // Without FMA contraction, since the table itself computes arguments.
  gpu::Cubin cubin = gpu::Nvrtc().compile(sources_of(group),
                                          {{.source = "table.cuh", .entries = {kEntry}, .contraction = false}}, target);
  if (!cubin.ok) throw std::runtime_error(cubin.log);
  return cubin;
}

}  // namespace

SourceTree headers_of_the_tree() {
  SourceTree sources;
  const fs::path root = WARPWRIGHT_SOURCE_DIR;
  for (const auto& entry : fs::recursive_directory_iterator(root / "kernels/runtime")) {
    if (entry.path().extension() != ".cuh") continue;
    std::ifstream in(entry.path());
    std::stringstream text;
    text << in.rdbuf();
    sources[entry.path().lexically_relative(root).string()] = text.str();
  }
  return sources;
}

SourceTree sources_of(const Group& group) {
  SourceTree sources = headers_of_the_tree();
  sources["table.cuh"] = text_of(group);
  return sources;
}

std::size_t result_at(std::size_t row, int item) {
  return (row * kCases + static_cast<std::size_t>(item)) * kWords;
}

Results on_host(const Group& group) {
  const TemporaryFolder folder;
  const auto result = simulator::compile({.sources = sources_of(group), .headers = {"table.cuh"}, .entries = {kEntry}},
                                         folder / "table.so");
  if (!result.ok()) throw std::runtime_error(result.log);
  const simulator::Module module(folder / "table.so");
  const Plan plan = plan_of(group);
  auto contents = contents_of(plan);
  const simulator::Execution execution = simulator::simulate(plan, module, contents);
  if (!execution.clean()) throw std::runtime_error(simulator::describe(execution.findings.front()));
  return results_of(contents[1]);
}

std::string cubin_of(const Group& group, const std::string& target) {
  return compiled(group, target).image;
}

Results on_gpu(const Group& group) {
  const gpu::Gpu device(0);
  const gpu::Cubin cubin = compiled(group, device.info().device.arch());
  const TemporaryFolder folder;
  std::ofstream(folder / "table.cubin", std::ios::binary) << cubin.image;
  const CompiledProgram built{
      .ok = true, .module = (folder / "table.cubin").string(), .instances = cubin.instances.at(0)};
  const Plan plan = plan_of(group);
  const auto contents = contents_of(plan);
  std::vector<gpu::Memory> memory;
  gpu::Addresses addresses;
  for (std::size_t k = 0; k < contents.size(); ++k) {
    memory.emplace_back(plan.buffers[k].bytes());
    memory.back().upload(device.stream(), contents[k]);
    addresses[plan.buffers[k].name] = memory.back().address();
  }
  gpu::ModuleCache modules;
  gpu::PlanRunner(device, modules, plan, built, addresses).run();
  return results_of(memory[1].download(device.stream()));
}

}  // namespace warpwright::built_ins
