// Tests of accesses that are not written as loads and stores of numbers: copies of memory and of structs, stores to
// null, accesses that land in another buffer, and padding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

/// The struct is declared on line 1.
Experiment with_struct(const std::string& members, const std::string& body, Dim3 block = {32}) {
  Experiment experiment = over_buffers(body, {1}, block, 4096);
  experiment.text = "struct S { " + members + " };\n" + experiment.text;
  return experiment;
}

TEST(Copies, TheCompilersOwnFunctionsAreSeen) {
  for (const char* const copy : {"__builtin_memcpy", "__builtin_memmove", "memcpy", "memmove"}) {
    const std::string call = copy;
    EXPECT_FALSE(races_of(over_buffers("  " + call + "(b, a, 4 * (a[0] + threadIdx.x));", {1}, {8})).empty()) << call;
    EXPECT_FALSE(races_of(over_buffers("  " + call + "(b, a, 16);", {1}, {8})).empty()) << call;
    const Finding finding =
        expect_finding(over_buffers("  " + call + "(b + 4 * threadIdx.x, a, 12 + 4 * a[0]);  // HERE", {1}, {65}, 256),
                       FindingKind::out_of_bounds);
    EXPECT_EQ(finding.buffer, "b") << call;
    expect_silent(over_buffers("  " + call + "(b + 4 * threadIdx.x, a, 12 + 4 * a[0]);", {1}, {64}, 256));
  }
  EXPECT_FALSE(races_of(over_buffers("  __builtin_memset(b, 0, 4 * a[0]);", {1}, {8})).empty());
  expect_finding(over_buffers("  __builtin_memset(b + 250, 0, 4 * (a[0] + 6));  // HERE", {1}, {1}, 256),
                 FindingKind::out_of_bounds);
}

TEST(Copies, TheirResultsAreThoseOfTheLibrary) {
  Experiment experiment = over_buffers(
      "  int held[4] = {1, 2, 3, 4};\n  __builtin_memmove(held + 1, held, 8);\n  __builtin_memcpy(b, held, sizeof "
      "held);",
      {1}, {1}, 8);
  EXPECT_EQ(summary_of(experiment.run()), "");
  EXPECT_THAT(values_of<int>(experiment.contents[1]), testing::ElementsAre(1, 1, 2, 4, 0, 0, 0, 0));
}

TEST(Copies, AStructIsCopiedInOneStatementOrByItsMembers) {
  for (const std::string members : {"int v[3];", "int v[5];", "int v[6];", "int v[20];", "long long v[3];"}) {
    const std::string to =
        "  S* const to = reinterpret_cast<S*>(b);\n  const S* const from = reinterpret_cast<S*>(a);\n";
    EXPECT_FALSE(races_of(with_struct(members, to + "  to[threadIdx.x / 2] = from[0];")).empty()) << members;
    EXPECT_FALSE(races_of(with_struct(members, to + "  to[threadIdx.x / 2] = S{};")).empty()) << members;
    EXPECT_FALSE(
        races_of(with_struct(members, to + "  to[0] = from[threadIdx.x % 2];\n  b[200] = threadIdx.x;")).empty())
        << members;
    expect_silent(with_struct(members, to + "  if (threadIdx.x < 3) to[threadIdx.x] = from[threadIdx.x];"));
    expect_finding(with_struct(members, to + "  to[4096] = from[0];  // HERE"), FindingKind::out_of_bounds);
    const Finding unwritten =
        expect_finding(with_struct(members,
                                   "  __shared__ S held[32];\n  const S one = held[threadIdx.x];  // HERE\n"
                                   "  reinterpret_cast<S*>(b)[0] = one;",
                                   {1}),
                       FindingKind::uninitialised_read);
    EXPECT_EQ(unwritten.buffer, "held");
  }
}

TEST(Copies, AStoreToNullHasItsLine) {
  const Finding store = expect_finding(over_buffers("  int* const none = nullptr;\n  *none = 3;  // HERE", {1}, {1}),
                                       FindingKind::out_of_bounds);
  EXPECT_THAT(store.message, HasSubstr("store of 4 bytes at address 0"));
  expect_finding(over_buffers("  int* const none = nullptr;\n  b[0] = none[0];  // HERE", {1}, {1}),
                 FindingKind::out_of_bounds);
  expect_finding(
      over_buffers("  int* none = a[0] == 1 ? nullptr : b;\n  if (none == nullptr) none[2] = 1;  // HERE", {1}, {1}),
      FindingKind::out_of_bounds);
  expect_finding(over_buffers("  memset(nullptr, 0, 4 * a[0]);  // HERE", {1}, {1}), FindingKind::out_of_bounds);
}

TEST(Copies, ABufferThatIsReachedThroughAnotherLiesElsewhereInAnotherRun) {
  // The distance of the first run is that of all runs, if buffers lie as they always do.
  Experiment first = over_buffers("  if (threadIdx.x == 0) *reinterpret_cast<long long*>(s) = b - a;\n", {1}, {1});
  first.run();
  const long long distance = values_of<long long>(first.contents[3])[0];
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Experiment experiment =
        over_buffers("  a[" + std::to_string(distance) + " + threadIdx.x] = threadIdx.x;  // HERE", {1}, {32});
    found += experiment.run(seed).clean() ? 0 : 1;
  }
  EXPECT_GE(found, 9);
}

TEST(Copies, PaddingOfAStructIsNotRead) {
  const auto swapped = [](const std::string& members, const std::string& stores) {
    return with_struct(members, "  __shared__ S held[32];\n  S& mine = held[threadIdx.x];\n  " + stores +
                                    "\n  __syncthreads();\n  const S other = held[threadIdx.x ^ 1];\n"
                                    "  b[threadIdx.x] = other.x;");
  };
  expect_silent(swapped("char c; int x;", "mine.c = 1;\n  mine.x = threadIdx.x;"));
  expect_silent(swapped("int x; char c;", "mine.c = 1;\n  mine.x = threadIdx.x;"));
  expect_silent(swapped("double d; int x;", "mine.d = 1;\n  mine.x = threadIdx.x;"));
  expect_silent(swapped("int x; double d;", "mine.d = 1;\n  mine.x = threadIdx.x;"));
  expect_silent(swapped("double d; char x; double e;", "mine.d = mine.e = 1;\n  mine.x = threadIdx.x;"));
  expect_silent(swapped("double d, e; int x;", "mine.d = mine.e = 1;\n  mine.x = threadIdx.x;"));
  expect_silent(swapped("short s; int x; short t;", "mine.s = mine.t = 1;\n  mine.x = threadIdx.x;"));
}

TEST(Copies, AMemberThatNobodyWroteIsNoPadding) {
  const auto swapped = [](const std::string& members, const std::string& stores) {
    return with_struct(members, "  __shared__ S held[32];\n  S& mine = held[threadIdx.x];\n  " + stores +
                                    "\n  __syncthreads();\n  const S other = held[threadIdx.x ^ 1];  // HERE\n"
                                    "  b[threadIdx.x] = other.x;");
  };
  for (const char* const members : {"float x, y, z, w;", "float x, y;", "float x, y, z;"})
    expect_finding(swapped(members, "mine.x = threadIdx.x;"), FindingKind::uninitialised_read);
  expect_finding(swapped("float x, y, z, w;", "mine.x = mine.y = mine.z = threadIdx.x;"),
                 FindingKind::uninitialised_read);
  expect_finding(swapped("double d; int x;", "mine.x = threadIdx.x;"), FindingKind::uninitialised_read);
  expect_finding(swapped("char c; int x;", "mine.c = threadIdx.x;"), FindingKind::uninitialised_read);
}

}  // namespace
}  // namespace warpwright::simulator
