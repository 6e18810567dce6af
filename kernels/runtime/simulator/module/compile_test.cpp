// Tests of compiling device code, and of the compiled code's calls to the simulator.
#include "kernels/runtime/simulator/module/compile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/runtime/simulator/module/compiler_log.hpp"
#include "kernels/system/child_process.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

/// A path that no other test has, in a folder that lives as long as this process.
std::filesystem::path output_path(const std::string& name) {
  static const TemporaryFolder folder;
  return folder / name;
}

CompileRequest request_of(const std::string& text, std::vector<std::string> entries) {
  CompileRequest request{.sources = device_headers(), .headers = {"kernel.cuh"}, .entries = std::move(entries)};
  request.sources["kernel.cuh"] = "#include \"kernels/runtime/device.cuh\"\n" + text;
  return request;
}

/// The number of checked accesses of one thread of a kernel over 64 floats, 64-byte aligned.
std::uint64_t hooks_of(const std::string& body) {
  Experiment experiment{.text =
                            "struct Big { float v[12]; };\nstruct Huge { float v[64]; };\n"
                            "__global__ void kernel(float* a, float* b) {\n" +
                            body + "\n}\n",
                        .entry = "kernel",
                        .block = {1}};
  experiment.with("a", Role::inout, ElementType::f32, std::vector<float>(64, 1.0f));
  experiment.with("b", Role::inout, ElementType::f32, std::vector<float>(64, 2.0f));
  const Execution execution = experiment.run();
  EXPECT_EQ(summary_of(execution), "") << body;
  return execution.thread_steps;
}

TEST(Compile, every_access_of_known_code_is_seen_once) {
  EXPECT_EQ(hooks_of(""), 0u);
  EXPECT_EQ(hooks_of("a[0] = b[0];"), 2u);
  EXPECT_EQ(hooks_of("a[0] += b[0];"), 3u);
  EXPECT_EQ(hooks_of("for (int i = 0; i < 10; ++i) a[i] = b[i];"), 20u);
  EXPECT_EQ(hooks_of("*reinterpret_cast<float4*>(a) = *reinterpret_cast<float4*>(b);"), 2u);
  EXPECT_EQ(hooks_of("warpwright::store_vector(a, warpwright::load_vector<4>(b));"), 2u);
  EXPECT_EQ(hooks_of("warpwright::store_vector(a, warpwright::load_vector_readonly<2>(b));"), 2u);
  EXPECT_EQ(hooks_of("warpwright::store_vector(a, warpwright::load_vector<8>(b));"), 4u);
  EXPECT_EQ(hooks_of("a[0] = __ldg(b) + warpwright::load_readonly(b + 1);"), 3u);
  EXPECT_EQ(hooks_of("*static_cast<volatile float*>(a) = *static_cast<volatile float*>(b);"), 2u);
  EXPECT_EQ(hooks_of("atomicAdd(a, b[0]);"), 2u);
  EXPECT_EQ(hooks_of("reinterpret_cast<char*>(a)[3] = 1;"), 1u);
  EXPECT_EQ(hooks_of("reinterpret_cast<double*>(a)[3] = 1;"), 1u);
}

TEST(Compile, copies_and_fills_of_memory_are_seen_in_pieces_of_sixteen_bytes) {
  EXPECT_EQ(hooks_of("*reinterpret_cast<Big*>(a) = *reinterpret_cast<Big*>(b);"), 6u);
  EXPECT_EQ(hooks_of("*reinterpret_cast<Big*>(a) = Big{};"), 3u);
  EXPECT_EQ(hooks_of("*reinterpret_cast<Huge*>(a) = *reinterpret_cast<Huge*>(b);"), 32u);
  EXPECT_EQ(hooks_of("memset(a, 0, 256);"), 16u);
  EXPECT_EQ(hooks_of("memcpy(a, b, 256);"), 32u);
}

TEST(Compile, locals_and_built_in_variables_call_no_hooks) {
  EXPECT_EQ(hooks_of("float t[8]; for (int i = 0; i < 8; ++i) t[i] = i * blockDim.x; a[0] = t[threadIdx.x + 3];"), 1u);
  EXPECT_EQ(hooks_of("constexpr float table[] = {1, 2, 3}; a[0] = table[threadIdx.x];"), 1u);
}

TEST(Compile, accesses_of_shared_elements_call_one_hook_each) {
  const std::string arrays = "__shared__ float tile[4][5];\n";
  EXPECT_EQ(hooks_of(arrays + "tile[1][2] = a[0];"), 2u);
  EXPECT_EQ(hooks_of(arrays + "tile[1][2] = 3; __syncthreads(); a[0] = tile[1][2];"), 4u);
}

TEST(Compile, device_code_that_is_wrong_gives_the_compilers_log) {
  const auto path = output_path("wrong.so");
  const CompileResult result = compile(request_of("__global__ void k() { nonsense; }", {"k"}), path);
  EXPECT_EQ(result.status, CompileStatus::failed);
  EXPECT_THAT(result.log, HasSubstr("nonsense"));
  EXPECT_THAT(result.log, HasSubstr("kernel.cuh:2"));
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Compile, the_log_names_locals_that_are_read_before_they_are_written) {
  const auto path = output_path("local.so");
  const CompileResult result = compile(
      request_of("__global__ void k(float* a) { float sum; for (int i = 0; i < 3; ++i) sum += a[i]; a[0] = sum; }",
                 {"k"}),
      path);
  ASSERT_TRUE(result.ok()) << result.log;
  const auto lines = uninitialised_locals(result.log);
  ASSERT_EQ(lines.size(), 1u) << result.log;
  EXPECT_THAT(lines[0], HasSubstr("kernel.cuh:2:"));
  EXPECT_THAT(lines[0], HasSubstr("'sum'"));
  EXPECT_TRUE(uninitialised_locals("kernel.cuh:1:1: error: 'x' was not declared in this scope\n").empty());
}

TEST(Compile, an_unknown_entry_gives_the_compilers_log) {
  const CompileResult result = compile(request_of("__global__ void k() {}", {"other"}), output_path("other.so"));
  EXPECT_EQ(result.status, CompileStatus::failed);
  EXPECT_THAT(result.log, HasSubstr("other"));
}

TEST(Compile, an_undefined_function_does_not_link) {
  const CompileResult result =
      compile(request_of("extern float nowhere(); __global__ void k(float* a) { *a = nowhere(); }", {"k"}),
              output_path("nowhere.so"));
  EXPECT_EQ(result.status, CompileStatus::failed);
  EXPECT_THAT(result.log, HasSubstr("nowhere"));
}

TEST(Compile, past_its_time_the_compiler_is_killed) {
  CompileRequest request = request_of("__global__ void k(long* a) { *a = 1; }", {"k"});
  request.time_limit = std::chrono::seconds(0);
  const CompileResult result = compile(request, output_path("slow.so"));
  EXPECT_EQ(result.status, CompileStatus::timed_out);
}

TEST(Compile, nothing_but_the_module_is_left_behind) {
  const TemporaryFolder folder;
  EXPECT_TRUE(compile(request_of("__global__ void k() {}", {"k"}), folder / "module.so").ok());
  EXPECT_FALSE(compile(request_of("wrong", {"k"}), folder / "wrong.so").ok());
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(folder.path())) names.push_back(file.path().filename());
  EXPECT_EQ(names, std::vector<std::string>{"module.so"});
}

TEST(Compile, the_same_request_gives_the_same_bytes) {
  const auto bytes = [](const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const CompileRequest request = request_of("__global__ void k(float* a) { a[0] = 1; }", {"k"});
  ASSERT_TRUE(compile(request, output_path("a.so")).ok());
  ASSERT_TRUE(compile(request, output_path("b.so")).ok());
  EXPECT_TRUE(bytes(output_path("a.so")) == bytes(output_path("b.so")));
}

TEST(Compile, a_plain_compiler_reads_device_code_and_the_standard_library_without_warnings) {
  const TemporaryFolder folder;
  std::ofstream(folder / "plain.cpp") << R"(
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include "kernels/runtime/device.cuh"
namespace warpwright::pattern {
struct params { int block_size = 32; };
template <class T, params P>
__global__ void __launch_bounds__(P.block_size) kernel(const T* __restrict__ in, T* out, int n) {
  __shared__ T tile[P.block_size];
#pragma unroll
  for (int i = 0; i < 4; ++i) tile[threadIdx.x] = fmaxf(in[i], sqrt(in[i])) + __shfl_down_sync(~0u, in[i], 1);
  __syncthreads();
  if (threadIdx.x < min(n, 32)) atomicAdd(out, tile[threadIdx.x]);
}
__global__ void plain(float* out) {
  memcpy(out, out + 4, 8);
  *out = fabs(*out) + fminf(float(abs(-1)), rsqrtf(2.0f)) + (isnan(*out) ? 1.0f : 0.0f);
}
}  // namespace warpwright::pattern
int main() { return warpwright::pattern::params{.block_size = 64}.block_size - 64; }
)";
  const auto result = run_process({host_compiler(), "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow",
                                   "-Wconversion", "-Wno-sign-conversion", "-Wno-unknown-pragmas", "-Werror",
                                   "-I" WARPWRIGHT_SOURCE_DIR, "plain.cpp", "-o", "plain"},
                                  folder.path(), std::chrono::seconds(60));
  EXPECT_TRUE(result.ok()) << result.output;
}

TEST(Compile, the_fingerprint_depends_on_compiler_flags_library_and_interface) {
  EXPECT_FALSE(host_compiler().empty());
  EXPECT_THAT(toolchain_fingerprint(), HasSubstr("-fsanitize=thread"));
  EXPECT_THAT(toolchain_fingerprint(), HasSubstr("-ftrivial-auto-var-init=pattern"));
  EXPECT_THAT(toolchain_fingerprint(), HasSubstr("-fsanitize-coverage=trace-pc,trace-cmp"));
  EXPECT_THAT(toolchain_fingerprint(), HasSubstr("glibc"));
  EXPECT_THAT(toolchain_fingerprint(), HasSubstr("interface"));
  EXPECT_THAT(toolchain_fingerprint(), HasSubstr("; frame ")) << "what is written around device code";
}

TEST(Compile, errors_of_the_system_are_distinguished_from_errors_of_the_source) {
  for (const char* const line :
       {"sh: 1: Cannot fork", "module.cpp:3:1: fatal error: error writing to /tmp/ccX.s: No space left on device",
        "/usr/bin/ld: final link failed: No space left on device", "cc1plus: out of memory allocating 65536 bytes",
        "c++: fatal error: Killed signal terminated program cc1plus",
        "collect2: fatal error: ld terminated with signal 25 [File size limit exceeded]",
        "module.cpp:1:10: fatal error: kernels/x.cuh: Too many open files"})
    EXPECT_EQ(refused_by_system(std::string("In file included from a.cpp:1:\n") + line + "\nmore\n"), line);
  for (const char* const line :
       {"kernel.cuh:3:2: error: #error Killed: No space left on device", "    3 | // out of memory, Killed",
        "kernel.cuh:3:2: warning: Terminated", "kernel.cuh:9:5: fatal error: other.cuh: No such file or directory",
        "c++: internal compiler error: Segmentation fault signal terminated program cc1plus"})
    EXPECT_EQ(refused_by_system(line), "") << line;
}

}  // namespace
}  // namespace warpwright::simulator
