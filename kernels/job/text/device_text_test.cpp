// Tests of extracting device code from plain .cu files, with the line numbers unchanged.
#include "kernels/job/text/device_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "kernels/system/temporary_folder.hpp"

namespace warpwright::job {
namespace {

class DeviceTextOf : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  DeviceText read(const std::string& text, const std::vector<std::string>& wanted = {},
                  const std::vector<std::filesystem::path>& folders = {}) {
    return PlainFile(write("file.cu", text), folders).text(wanted);
  }
  std::string refusal(const std::string& text, const std::vector<std::string>& wanted = {}) {
    try {
      read(text, wanted);
    } catch (const std::runtime_error& error) {
      const std::string words = error.what();
      return words.substr(words.find("file.cu"));
    }
    return "";
  }
  /// The line of the user's file with that number, as it is in the extracted text.
  static std::string line(const DeviceText& made, int number) {
    std::size_t at = made.text.find("#line 1 ");
    for (int i = 0; i < number; ++i) at = made.text.find('\n', at) + 1;
    std::string found = made.text.substr(at, made.text.find('\n', at) - at);
    return found.find_first_not_of(' ') == std::string::npos ? "" : found;
  }

  TemporaryFolder folder_;
};

constexpr const char* whole_program = R"(#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#define BLOCK 256
#define CHECK(call) do { if ((call) != cudaSuccess) exit(1); } while (0)
std::vector<float> kept_by_the_host(const char* text) { return {}; }
__device__ float twice(float x) { return 2 * x; }
static float host_twice(float x) {
  return 2 * x;
}
// adds
__global__ void add(const float* __restrict__ a, float *b, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) b[i] += twice(a[i]);
}
int main() {
  float* a; CHECK(cudaMalloc(&a, 4));
  add<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(a, a, min(n, 3));
  printf("}\n");
}
)";

TEST_F(DeviceTextOf, AProgramIsItsKernelAndWhatTheKernelNeeds) {
  const DeviceText made = read(whole_program);
  for (const int dropped : {1, 2, 3, 6, 8, 9, 10, 16, 17, 18, 19, 20}) EXPECT_EQ(line(made, dropped), "") << dropped;
  EXPECT_EQ(line(made, 7), "__device__ float twice(float x) { return 2 * x; }");
  EXPECT_EQ(line(made, 14), "  if (i < n) b[i] += twice(a[i]);");
  ASSERT_EQ(made.kernels.size(), 1U);
  EXPECT_EQ(made.kernels[0].name, "add");
  EXPECT_EQ(made.kernels[0].line, 12);
  const std::vector<Parameter> expected = {{"float", "a", true, true, {.reads = true}, true},
                                           {"float", "b", true, false, {.reads = true, .writes = true}},
                                           {"int", "n"}};
  EXPECT_EQ(made.kernels[0].parameters, expected);
  EXPECT_EQ(made.macros, (std::map<std::string, std::string>{{"BLOCK", "256"}}));
}

TEST_F(DeviceTextOf, LaunchesOfTheHostAreRead) {
  const DeviceText made = read(whole_program);
  ASSERT_EQ(made.launches.size(), 1U);
  EXPECT_EQ(made.launches[0].kernel, "add");
  EXPECT_EQ(made.launches[0].configuration, (std::vector<std::string>{"(n+BLOCK-1)/BLOCK", "BLOCK"}));
  EXPECT_EQ(made.launches[0].arguments, (std::vector<std::string>{"a", "a", "min(n, 3)"}));
  EXPECT_EQ(made.launches[0].line, 18);
}

TEST_F(DeviceTextOf, LocalHeadersReplaceTheirIncludesAndKeepTheirLines) {
  write("helper.h",
        "#pragma once\n#include <cstdlib>\n__host__ __device__ inline int up(int a, int b) { return a; }\n");
  const DeviceText made = read(
      "#include \"helper.h\"\n#include \"helper.h\"\n#include <cuda_fp16.h>\n#include \"nowhere.hpp\"\n"
      "__global__ void k(half* a) { a[0] = up(1, 2); }\n");
  EXPECT_EQ(line(made, 5), "__host__ __device__ inline int up(int a, int b) { return a; }") << made.text;
  EXPECT_NE(made.text.find("#include <cuda_fp16.h>"), std::string::npos);
  EXPECT_EQ(made.text.find("cstdlib"), std::string::npos);
  EXPECT_EQ(made.text.find("up(int a", made.text.find("up(int a") + 1), std::string::npos);
  ASSERT_EQ(made.missing.size(), 1U);
  EXPECT_TRUE(made.missing[0].ends_with("file.cu:4: \"nowhere.hpp\"")) << made.missing[0];
  EXPECT_EQ(made.kernels[0].line, 5);
  EXPECT_TRUE(made.kernels[0].file.ends_with("file.cu"));
}

TEST_F(DeviceTextOf, HeadersAreSearchedInTheNamedFolders) {
  std::filesystem::create_directories(folder_ / "inc");
  write("inc/more.cuh", "__device__ int more(int a) { return a + 1; }\n");
  const std::string text = "#include <more.cuh>\n__global__ void k(int* a) { a[0] = more(1); }\n";
  EXPECT_EQ(read(text).text.find("int more"), std::string::npos);
  EXPECT_NE(read(text, {}, {folder_ / "inc"}).text.find("int more"), std::string::npos);
}

TEST_F(DeviceTextOf, NeededDeclarationsAreFoundThroughTypesMacrosAndConstants) {
  const DeviceText made = read(R"(#define SCALE(x) scaled((x), kTwo)
typedef struct { float x, y; } Pair;
enum Mode { PLAIN, DOUBLE };
static const float kTwo = 2.0f, kUnused = 3.0f;
const int kHostOnly = 4;
float on_the_host = 1;
template <typename T> struct Host { T* data; };
using Real = float;
__device__ Real scaled(Real a, Real b) { return a * b; }
constexpr int rounded(int a) { return (a + 31) / 32 * 32; }
__device__ Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }
namespace inner { __constant__ float weights[rounded(3)]; }
__global__ void k(Pair* a, Mode mode) { a[0].x = SCALE(a[0].y) * inner::weights[0]; }
)");
  for (const int kept : {1, 2, 3, 4, 8, 9, 10, 11, 12, 13}) EXPECT_NE(line(made, kept), "") << kept;
  for (const int dropped : {5, 6, 7}) EXPECT_EQ(line(made, dropped), "") << dropped;
  EXPECT_EQ(line(made, 10), "__host__ __device__ constexpr int rounded(int a) { return (a + 31) / 32 * 32; }");
  ASSERT_EQ(made.symbols.size(), 1U);
  EXPECT_EQ(made.symbols[0].name, "inner::weights");
}

TEST_F(DeviceTextOf, TypesOfTheHostAreLeftOutEvenIfAKernelUsesOneOfTheirNames) {
  const std::string host = "struct rows { std::vector<int> all; };\n";
  const std::string kernel = "__global__ void k(int* a) { int rows = 1; a[0] = rows; }\n";
  EXPECT_EQ(line(read(host + kernel), 1), "");
  EXPECT_EQ(line(read("typedef vector<bool> rows;\n" + kernel), 1), "");
  EXPECT_NE(line(read("typedef void (*rows)(int);\n" + kernel), 1), "");
  EXPECT_NE(line(read("typedef unsigned char rows[3];\n" + kernel), 1), "");
  EXPECT_NE(line(read("typedef unsigned char rows, *other;\n" + kernel), 1), "");
  EXPECT_EQ(line(read("typedef unsigned char other, rows2;\n" + kernel), 1), "");
  const std::string own = "template <class T> struct vector { T x, y; };\n";
  EXPECT_NE(line(read("struct rows { int list, set; };\n" + kernel), 1), "");
  EXPECT_NE(line(read(own + "struct rows { vector<int> all; };\n" + kernel), 2), "");
}

TEST_F(DeviceTextOf, ParametersAndTemplatesAreReadAsTheyAreSpelt) {
  const DeviceText made = read(R"(template <typename T, int N = 4, class... Rest>
__global__ void __launch_bounds__(N, 2) k(const T *const __restrict__ a, unsigned  int n, Pair<int, T> pair, T b[],
    const float4* c, T** rows, volatile int *flags, const int steps = 3) {}
namespace one::two { extern "C" { __global__ void last(void) {} } }
)");
  ASSERT_EQ(made.kernels.size(), 2U);
  const std::vector<Parameter> expected = {
      {"T", "a", true, true, {}, true}, {"unsigned int", "n"}, {"Pair<int,T>", "pair"}, {"T", "b", true},
      {"float4", "c", true, true},      {"T*", "rows", true},  {"int", "flags", true},  {"int", "steps", false, true}};
  EXPECT_EQ(made.kernels[0].parameters, expected);
  EXPECT_EQ(made.kernels[0].template_parameters, (std::vector<std::string>{"typename T", "int N", "class...Rest"}));
  EXPECT_EQ(made.kernels[0].launch_bounds, "N");
  EXPECT_TRUE(made.kernels[0].cluster_dims.empty());
  EXPECT_EQ(made.kernels[1].name, "one::two::last");
  EXPECT_TRUE(made.kernels[1].parameters.empty());
}

TEST_F(DeviceTextOf, MacrosThatMayBeParamsHaveNumbersOrComeFromOutside) {
  const DeviceText made = read(R"(#define TILE 16
#define AREA (TILE * TILE)
#define NAME "text"
#define UNUSED 7
#ifndef STEPS
#define STEPS 2
#endif
__global__ void k(float* a) {
  __shared__ float held[AREA * block_size_x + STEPS];
#if USE_PADDING == 1
  a[0] = held[0];
#endif
}
)");
  const std::map<std::string, std::string> expected = {
      {"AREA", "(TILE * TILE)"}, {"STEPS", "2"}, {"TILE", "16"}, {"USE_PADDING", ""}, {"block_size_x", ""}};
  EXPECT_EQ(made.macros, expected);
}

TEST_F(DeviceTextOf, KernelsInBranchesThatAreNotCompiledDoNotCount) {
  const DeviceText made = read(R"(#define WAY 2
#if 0
don't read __global__ void never( {
#elif defined(OTHER) && WAY > 1
__global__ void other(int a) {}
#elif WAY == 2
__global__ void chosen(int a) {}
#else
__global__ void last(int a) {}
#endif
#if __CUDA_ARCH__ >= 800
__global__ void both(int a) {}
#endif
__global__ void
#ifdef WIDE
split(float4* a) {
#else
split(float* a) {
#endif
  a[0] = a[1];
}
)");
  std::vector<std::string> names;
  for (const GlobalFunction& kernel : made.kernels) names.push_back(kernel.name);
  EXPECT_EQ(names, (std::vector<std::string>{"chosen", "both", "split"}));
  EXPECT_EQ(refusal("#if 1\n__global__ void k() {}\n#else\n__global__ void other() {}\n#endif\n", {"other"}),
            "file.cu:1: what defines other is not compiled: see to its #if and #ifdef");
}

TEST_F(DeviceTextOf, AMacroHasTheValueOfTheBranchThatIsCompiled) {
  const DeviceText made = read(R"(
#ifdef RD_WG_SIZE
#define BLOCK RD_WG_SIZE
#elif defined(RD_WG_SIZE_0)
#define BLOCK RD_WG_SIZE_0
#else
#define BLOCK 16
#endif
__global__ void k(float* x) { x[BLOCK] = 1; }
)");
  EXPECT_EQ(made.macros.at("BLOCK"), "16");
}

TEST_F(DeviceTextOf, HeadersOfBranchesThatAreNotCompiledAreNotMissed) {
  const DeviceText made = read(R"(
#ifdef USE_HIP
#include "hip_compat.h"
#elif 1
#include "there_is_none.h"
#else
#include "other_compat.h"
#endif
__global__ void k(float* x) { x[0] = 1; }
)");
  ASSERT_EQ(made.missing.size(), 1U);
  EXPECT_NE(made.missing[0].find("file.cu:5: \"there_is_none.h\""), std::string::npos) << made.missing[0];
}

TEST_F(DeviceTextOf, WhatIsStoredThroughAPointerIsSeenHoweverItIsSpelt) {
  const auto use = [&](const std::string& body) {
    const DeviceText made = read(R"(#define FLOAT4(x) (reinterpret_cast<float4*>(&(x))[0])
#define FIRST(x) (x)
__device__ void put(float* where, float value) { *where = value; }
__device__ void change(float value, float& what) { what += value; }
__device__ float first(const float* where, float) { return where[0]; }
__device__ void forward(int n, float* where) { if (n > 0) forward(n - 1, where + 1); else put(where, 1); }
__global__ void k(float* p, float* q, int n, float v) { )" +
                                 body + " }\n");
    const PointerUse seen = made.kernels.back().parameters.front().use;
    return std::string(seen.escapes ? "?" : seen.writes ? (seen.reads ? "inout" : "out") : seen.reads ? "in" : "none");
  };
  for (const char* out : {"p[n] = v;",
                          "*p++ = v;",
                          "*(p + n) = v;",
                          "*(n + p) = v;",
                          "p[n] = q[n] = v;",
                          "q[n] = p[n] = v;",
                          "float* row = p + n; row[1] = v;",
                          "float *a = q, *row = &p[n]; *row = v;",
                          "auto row = p; row += n; *row = v;",
                          "float& r = p[n]; r = v;",
                          "auto&& r = *(p + n); r = v;",
                          "float* row; row = p + n; row[0] = v;",
                          "reinterpret_cast<float4*>(p)[n] = {};",
                          "((float4*)p)[n].x = v;",
                          "*(float4*)&p[n] = {};",
                          "*reinterpret_cast<float4*>(&p[n]) = {};",
                          "FLOAT4(p[n]) = FLOAT4(q[n]);",
                          "FIRST(p)[n] = v;",
                          "(p + n)[2] = v;",
                          "(*p) = v;",
                          "float* row = n == 3 ? p : q; row[0] = v;",
                          "(n > 1 ? p : q)[0] = v;",
                          "for (float* a = p; a < p + n; ++a) *a = v;",
                          "for (; n > 0; n--, p++) *p = v;",
                          "__stcs(p + n, v);",
                          "__stwt(&p[n], v);",
                          "put(p, v);",
                          "put(&p[n], v);",
                          "forward(3, p);",
                          "memcpy(p, q, 4);",
                          "switch (n) { case 1: *p = v; }",
                          "if (n > 1) *p = v; else *(p + 1) = 2;"})
    EXPECT_EQ(use(out), "out") << out;
  for (const char* inout :
       {"p[n] += v;", "(*p)++;", "++p[n];", "--*p;", "p[n] <<= 1;", "p[n] >>= 1;", "p[n] ^= 1;", "atomicAdd(p + n, v);",
        "atomicMax(&p[n], v);", "atomicAdd(p, v);", "p[n] = p[n - 1];", "float& r = p[n]; r *= v;", "change(v, p[n]);",
        "swap(p[0], q[0]);", "float* row = p; v = row[0]; *row = v + 1;", "FLOAT4(p[n]).x += 1;"})
    EXPECT_EQ(use(inout), "inout") << inout;
  for (const char* in :
       {"q[n] = p[n];", "q[n] = n * *p;", "v = __ldg(p + n);", "v = __ldcv(&p[n]);", "q[p[0] == 1] = 1;",
        "v = n > 1 ? p[n] : 0;", "if (p[n] <= v) q[0] = 1;", "const float& r = p[n]; q[0] = r;",
        "float4 t = FLOAT4(p[n]);", "v = v + p[n];", "v += p[n] * 2;", "v = a++ + p[n];", "v = first(p, p[1]);",
        "const float4* w = reinterpret_cast<const float4*>(p); v = w[n].x;", "memcpy(q, p, 4);",
        "float4 w = ((float4*)p)[n];", "v = a & p[n];", "v = x && p[n] != y;", "change(p[n], v);"})
    EXPECT_EQ(use(in), "in") << in;
  for (const char* none : {"p += n;", "if (p == nullptr) return;", "v = sizeof(p[0]);", "p++;", "v = n > 0 && p < q;"})
    EXPECT_EQ(use(none), "none") << none;
  for (const char* unseen : {"unknown(p);", "View view{p, n};", "q.data = p;", "rows[0] = p;",
                             "asm(\"st.global.f32 [%0], 1.0;\" :: \"l\"(p));"})
    EXPECT_EQ(use(unseen), "?") << unseen;
}

TEST_F(DeviceTextOf, OnlyWantedKernelsAndWhatTheyNeedAreKept) {
  const std::string text = R"(__device__ int one() { return 1; }
__device__ int two() { return 2; }
__global__ void first(int* a) { a[0] = one(); }
__global__ void second(int* a) { a[0] = two(); }
__global__ void starts(int* a) { first<<<1, 1>>>(a); }
)";
  const DeviceText made = read(text, {"second"});
  EXPECT_EQ(line(made, 1) + line(made, 3) + line(made, 5), "");
  EXPECT_NE(line(made, 2) + line(made, 4), "");
  EXPECT_EQ(refusal(text, {"third"}), "file.cu:1: defines no kernel third; it has first, second, starts");
  EXPECT_TRUE(refusal(text, {"starts"}).starts_with("file.cu:5: starts launches kernels itself"));
  EXPECT_EQ(read(text).kernels.size(), 2U) << "all but the one that launches";
}

TEST_F(DeviceTextOf, AKernelThatLaunchesIsNotNeededByOnesWithAVariableOfItsName) {
  const std::string text = R"(__global__ void scan(int* a);
__global__ void leaf(int* a) { int scan = 1; a[0] = scan; }
__global__ void scan(int* a) { leaf<<<1, 1>>>(a); }
__device__ void start(int* a) { leaf<<<1, 1>>>(a); }
__global__ void root(int* a) { start(a); }
)";
  const DeviceText made = read(text, {"leaf"});
  EXPECT_EQ(line(made, 1) + line(made, 3) + line(made, 4), "");
  EXPECT_TRUE(refusal(text, {"root"}).starts_with("file.cu:4: start launches kernels itself")) << "through a function";
}

TEST_F(DeviceTextOf, TemplateArgumentsInHostCodeAreKept) {
  const std::string text = R"(struct Twice { __device__ float operator()(float a) const { return 2 * a; } };
struct Never { __device__ float operator()(float a) const { return a; } };
struct Timer { float seconds; };
template <class Op> __global__ void k(float* a) { a[0] = Op()(a[1]); }
template <class Op> void launch(float* a) { Timer t; k<Op><<<1, 1>>>(a); }
int main() { launch<Twice>(nullptr); }
)";
  const DeviceText made = read(text);
  EXPECT_NE(line(made, 1), "");
  EXPECT_EQ(line(made, 2) + line(made, 3), "");
}

TEST_F(DeviceTextOf, LiteralsAndCommentsAreNotCode) {
  const DeviceText made = read(R"__(/* __global__ void comment( */
const char* host = R"x(__global__ void raw() { )x";
__global__ void k(int* a) { a[0] = '"'; /* } */ a[1] = '\''; } // }
int main() { const char* s = "}\"{"; return 1'000; }
)__");
  ASSERT_EQ(made.kernels.size(), 1U);
  EXPECT_EQ(line(made, 2) + line(made, 4), "");
}

TEST_F(DeviceTextOf, MacrosThatMakeKernelsAreNotExplicitInstances) {
  const DeviceText made = read(R"(#define ADDS(name, type) __device__ void name(type* a, type b) { a[0] += b; }
#define CHECKED(type) static_assert(sizeof(type) > 0, "")
ADDS(add_float, float)
CHECKED(float);
template <class T> __global__ void k(T* a) { add_float(a, 1); }
template __global__ void k<float>(float*);
)");
  EXPECT_NE(line(made, 3), "");
  EXPECT_EQ(line(made, 4), "");
  EXPECT_EQ(line(made, 6), "");
}

TEST_F(DeviceTextOf, UnreadableSourcesAreRefusedWithTheLine) {
  EXPECT_TRUE(refusal("int main() {}\n").starts_with("file.cu:1: defines no __global__ function"));
  EXPECT_EQ(refusal("\n__global__ void k() {\n  if (1) {\n}\n"), "file.cu:2: a bracket opens here and does not close");
  EXPECT_EQ(refusal("__global__ void k() {}\n}\n"), "file.cu:2: a bracket closes here that no bracket before opens");
  EXPECT_EQ(refusal("/* \n\n"), "file.cu:1: a comment begins here and does not end");
  EXPECT_TRUE(refusal("#ifdef NEVER\n__global__ void k() {}\n#endif\n").find("see to its #if") != std::string::npos);
  EXPECT_THROW(PlainFile(folder_ / "none.cu"), std::runtime_error);
}

}  // namespace
}  // namespace warpwright::job
