// Tests of every memory location, and of plans with streams, on a GPU. Skipped without one.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "kernels/runtime/cuda/memory.hpp"
#include "kernels/runtime/cuda/on_a_gpu.hpp"
#include "kernels/runtime/cuda/plan_runner.hpp"
#include "kernels/runtime/simulator/module/compile.hpp"
#include "kernels/runtime/simulator/module/compile_host_functions.hpp"

namespace warpwright::gpu {
namespace {

constexpr std::int64_t kHalf = 1 << 16;  ///< elements

class StreamsOnAGpu : public OnAGpu {
 protected:
  /// The host's function add_one, compiled.
  CompiledProgram host_functions() {
    const std::string table = "kernels/runtime/host_steps/host_call.cuh";
    std::ifstream file(std::string(WARPWRIGHT_SOURCE_DIR) + "/" + table);
    simulator::CompileRequest request{.headers = {"work.cuh"}, .entries = {"add_one"}};
    request.sources[table] = std::string(std::istreambuf_iterator<char>(file), {});
    request.sources["work.cuh"] =
        "inline void add_one(const int* in, int* out, long long count) {\n"
        "  for (long long i = 0; i < count; ++i) out[i] = in[i] + 1;\n"
        "}\n";
    const auto path = folder_ / "work.so";
    const simulator::CompileResult result = simulator::compile_host_functions(request, path);
    EXPECT_TRUE(result.ok()) << result.log;
    return {.ok = true, .host_functions = path.string()};
  }

  /// The contents of `out` after a plan with inputs 0, 1, 2, ...
  std::vector<int> run(const Plan& plan, const CompiledProgram& built) {
    ModuleCache modules;
    std::map<std::string, PlacedMemory> memory;
    Addresses addresses;
    std::vector<int> in(2 * kHalf);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i);
    Bytes bytes(in.size() * sizeof(int));
    std::memcpy(bytes.data(), in.data(), bytes.size());
    for (const Buffer& buffer : plan.buffers) {
      const PlacedMemory& made =
          memory.emplace(buffer.name, PlacedMemory(*gpu_, buffer.where, buffer.bytes())).first->second;
      made.fill(0xFF);
      if (buffer.role == Role::in) made.upload(bytes);
      addresses[buffer.name] = made.address();
    }
    PlanRunner runner(*gpu_, modules, plan, built, addresses);
    EXPECT_TRUE(runner.synchronises());
    EXPECT_FALSE(runner.uses_graph());
    runner.run();
    for (const auto& [name, made] : memory) EXPECT_TRUE(made.guards_intact()) << name;
    std::memcpy(in.data(), memory.at("out").download().data(), bytes.size());
    return in;
  }
};

TEST_F(StreamsOnAGpu, MemoryInEveryLocationKeepsItsContentsAndDetectsWritesOutside) {
  for (const Where where : {Where::device, Where::pageable, Where::pinned, Where::managed}) {
    const PlacedMemory memory(*gpu_, where, 1000);
    const Memory device(1000);
    Bytes contents(1000, std::byte{7});
    contents[999] = std::byte{9};
    memory.upload(contents);
    EXPECT_EQ(memory.download(), contents);
    memory.copy_to(device.address());
    memory.fill(1);
    EXPECT_EQ(memory.download(), Bytes(1000, std::byte{1}));
    memory.copy_from(device.address());
    memory.bring_to_host();
    EXPECT_EQ(memory.download(), contents);
    EXPECT_TRUE(memory.guards_intact());
    for (const std::int64_t beside : {-1, 1000}) {
      const PlacedMemory other(*gpu_, where, 1000);
      driver().check(
          driver().copy(other.address() + static_cast<std::uint64_t>(beside), device.address(), 1, gpu_->stream()),
          "cuMemcpyAsync");
      EXPECT_FALSE(other.guards_intact()) << beside;
    }
  }
}

TEST_F(StreamsOnAGpu, ChunksGoThroughStreamsThatWaitForOneAnother) {
  constexpr std::int64_t kBytes = 4 * kHalf;
  for (const Where where : {Where::pageable, Where::pinned, Where::managed}) {
    Plan plan{
        .buffers = {{.name = "in", .type = ElementType::i32, .count = 2 * kHalf, .where = where},
                    {.name = "out", .role = Role::out, .type = ElementType::i32, .count = 2 * kHalf, .where = where},
                    {.name = "a", .role = Role::scratch, .type = ElementType::i32, .count = 2 * kHalf}},
        .steps = {}};
    for (const std::int64_t at : {std::int64_t{0}, kBytes}) {
      const std::string name = "in " + std::to_string(at);
      plan.steps.push_back({.what = Copy{.from = "in", .to = "a", .bytes = kBytes, .from_offset = at, .to_offset = at},
                            .stream = 1,
                            .label = name});
      // The halves are swapped.
      plan.steps.push_back(
          {.what = Copy{.from = "a", .to = "out", .bytes = kBytes, .from_offset = at, .to_offset = kBytes - at},
           .stream = 2,
           .waits = {name}});
    }
    if (where == Where::managed)
      plan.steps.push_back({.what = Prefetch{.buffer = "out", .bytes = 2 * kBytes, .to_host = true}, .stream = 2});
    plan.steps.push_back({.what = Synchronise{}});
    ASSERT_EQ(plan_fault(plan), "");
    const std::vector<int> out = run(plan, {.ok = true});
    for (std::size_t i = 0; i < out.size(); ++i)
      ASSERT_EQ(out[i], static_cast<int>((i + kHalf) % (2 * kHalf))) << "place " << static_cast<int>(where);
  }
}

TEST_F(StreamsOnAGpu, MemsetsWriteLongWordsOfAnyCountInFewLaunches) {
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{0x0000000500000007}})
    for (const std::int64_t count : {std::int64_t{1}, std::int64_t{1} << 15, std::int64_t{200'001}}) {
      Plan plan{.buffers = {{.name = "out", .role = Role::out, .type = ElementType::u64, .count = count}}, .steps = {}};
      plan.steps.push_back({.what = Memset{.buffer = "out", .count = count, .value = warpwright::value(value)}});
      ModuleCache modules;
      const Memory out(8 * count);
      PlanRunner runner(*gpu_, modules, plan, {.ok = true}, {{"out", out.address()}});
      runner.run();
      std::vector<std::uint64_t> held(static_cast<std::size_t>(count));
      std::memcpy(held.data(), out.download(gpu_->stream()).data(), 8 * held.size());
      EXPECT_EQ(held, std::vector<std::uint64_t>(held.size(), value)) << count;
      EXPECT_TRUE(out.guards_intact(gpu_->stream()));
    }
}

TEST_F(StreamsOnAGpu, TheHostWorksOnDataThatItWaitedFor) {
  Plan plan{
      .buffers =
          {{.name = "in", .type = ElementType::i32, .count = 2 * kHalf, .where = Where::pinned},
           {.name = "out", .role = Role::out, .type = ElementType::i32, .count = 2 * kHalf, .where = Where::pinned},
           {.name = "a", .role = Role::scratch, .type = ElementType::i32, .count = 2 * kHalf},
           {.name = "mine",
            .role = Role::scratch,
            .type = ElementType::i32,
            .count = 2 * kHalf,
            .where = Where::pinned}},
      .steps = {{.what = Copy{.from = "in", .to = "a", .bytes = 8 * kHalf}, .stream = 1},
                {.what = Copy{.from = "a", .to = "mine", .bytes = 8 * kHalf}, .stream = 1, .label = "there"},
                {.what = HostWork{.source = "work.cuh",
                                  .function = "add_one",
                                  .arguments = {pointer_to("mine"), pointer_to("out"), value(std::int64_t{2 * kHalf})},
                                  .accesses = {{"mine", 0, 8 * kHalf, false}, {"out", 0, 8 * kHalf, true}}},
                 .waits = {"there"}}}};
  const std::vector<int> out = run(plan, host_functions());
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<int>(i) + 1);
  std::get<HostWork>(plan.steps[2].what).arguments.pop_back();
  EXPECT_THROW(run(plan, host_functions()), NotLaunchable);
  EXPECT_THROW(run(plan, {.ok = true}), std::runtime_error);
}

}  // namespace
}  // namespace warpwright::gpu
