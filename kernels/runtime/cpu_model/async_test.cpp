// Tests of asynchronous copies: complete after the wait and not before; other accesses in between are findings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/runtime/simulator/ring_kernel.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

const std::string one_group = R"(alignas(16) __shared__ int tile[128];
warpwright::async_copy<16>(tile + 4 * threadIdx.x, a + 4 * threadIdx.x);  // COPY
warpwright::async_commit();
// MEANWHILE
warpwright::async_wait<0>();
__syncthreads();
b[threadIdx.x] = tile[127 - threadIdx.x];)";

TEST(AsyncCopies, are_visible_after_their_wait_and_a_barrier) {
  expect_silent(over_buffers(one_group, {1}, {32}));
  races_of(over_buffers(with(one_group, "__syncthreads();", ""), {1}, {32}));
  const Execution execution = over_buffers(with(one_group, "warpwright::async_wait<0>();", ""), {1}, {32}).run(1);
  EXPECT_THAT(summary_of(execution), HasSubstr("unfinished copy at 8"));
  EXPECT_EQ(execution.findings[0].other.line, 3);
}

TEST(AsyncCopies, in_flight_conflict_with_accesses_to_target_and_source) {
  const struct {
    std::string meanwhile, message;
  } cases[] = {
      {"b[0] = tile[4 * threadIdx.x];", "load of 4 bytes at byte 0 of shared array 'tile'"},
      {"tile[4 * threadIdx.x + 1] = 1;", "store of 4 bytes at byte 4 of shared array 'tile'"},
      {"a[4 * threadIdx.x + 3] = 1;", "store of 4 bytes at byte 12 of buffer 'a'"},
      {"warpwright::async_copy<4>(tile + 4 * threadIdx.x, a);", "store of 4 bytes at byte 0 of shared array 'tile'"}};
  for (const auto& [meanwhile, message] : cases) {
    const Finding finding = expect_finding(
        over_buffers(with(one_group, "// MEANWHILE", meanwhile + "  // HERE"), {1}, {1}), FindingKind::unfinished_copy);
    EXPECT_THAT(finding.message, HasSubstr(message));
    EXPECT_THAT(finding.message, HasSubstr("still under way"));
    EXPECT_EQ(finding.other.line, 3);
  }
  expect_silent(over_buffers(with(one_group, "// MEANWHILE", "b[threadIdx.x] = a[4 * threadIdx.x];"), {1}, {32}));
}

TEST(AsyncCopies, of_other_threads_conflict_too) {
  const std::string text = R"(__shared__ int x;
if (threadIdx.x == 0) warpwright::async_copy<4>(&x, a); warpwright::async_commit();
__syncthreads();
if (threadIdx.x == 32) b[0] = x;  // HERE
__syncthreads();
warpwright::async_wait<0>();)";
  EXPECT_EQ(expect_finding(over_buffers(text, {1}, {64}), FindingKind::unfinished_copy).other.line, 3);
}

TEST(AsyncCopies, that_nobody_waits_for_are_found_at_the_end) {
  const Finding finding = expect_finding(
      over_buffers("__shared__ int x;\nwarpwright::async_copy<4>(&x, a);  // HERE\nwarpwright::async_commit();", {2},
                   {32}),
      FindingKind::unfinished_copy);
  EXPECT_THAT(finding.message, HasSubstr("nobody waits for the asynchronous copy of 4 bytes"));
}

TEST(AsyncCopies, of_later_groups_may_stay_in_flight) {
  const std::string text = R"(__shared__ int x[2];
warpwright::async_copy<4>(&x[0], a); warpwright::async_commit();
warpwright::async_copy<4>(&x[1], a + 1); warpwright::async_commit();
warpwright::async_wait<1>();
b[0] = x[0];
warpwright::async_wait<0>();
b[1] = x[1];)";
  expect_silent(over_buffers(text, {1}, {1}));
  EXPECT_EQ(summary_of(over_buffers(with(text, "b[0] = x[0]", "b[0] = x[1]"), {1}, {1}).run()), "unfinished copy at 6");
  EXPECT_EQ(summary_of(over_buffers(with(text, "async_wait<1>", "async_wait<2>"), {1}, {1}).run()),
            "unfinished copy at 6");
}

TEST(AsyncCopies, move_words_between_multiples_of_their_size_into_shared_memory) {
  EXPECT_THAT(summary_of(over_buffers("__shared__ int x[8];\nwarpwright::async_copy<8>(&x[1], a);", {1}, {1}).run()),
              HasSubstr("misaligned at 3"));
  EXPECT_THAT(summary_of(over_buffers("warpwright::async_copy<4>(b, a);", {1}, {1}).run()),
              HasSubstr("out of bounds at 2"));
}

const std::string counted_by_a_barrier = R"(alignas(16) __shared__ int tile[256];
__shared__ warpwright::phase_barrier full;
if (threadIdx.x == 0) warpwright::phase_init(&full, 64);
__syncthreads();
warpwright::async_copy<16>(tile + 4 * threadIdx.x, a + 4 * threadIdx.x);  // COPY
warpwright::phase_arrive_copied(&full);
warpwright::phase_wait(&full, 0);
b[threadIdx.x] = tile[255 - threadIdx.x];)";

TEST(AsyncCopies, complete_the_phase_of_a_barrier_at_which_their_thread_arrives) {
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    Experiment experiment = over_buffers(counted_by_a_barrier, {1}, {64});
    const auto in = values_of<int>(experiment.contents[0]);
    const Execution execution = experiment.run(seed);
    ASSERT_EQ(summary_of(execution), "") << describe(execution.findings[0]) << " under seed " << seed;
    const auto out = values_of<int>(experiment.contents[1]);
    for (std::size_t i = 0; i < 64; ++i) ASSERT_EQ(out[i], in[255 - i]) << i;
  }
}

TEST(AsyncCopies, are_not_visible_before_their_phase_is_complete) {
  const auto found = [](const std::string& part, const std::string& other) {
    const Execution execution = over_buffers(with(counted_by_a_barrier, part, other), {1}, {64}).run(1);
    return summary_of(execution);
  };
  EXPECT_THAT(found("warpwright::phase_wait(&full, 0);", ""), HasSubstr("unfinished copy at 9"));
  EXPECT_THAT(found("arrive_copied", "arrive"), HasSubstr("unfinished copy at 9"));
  // The thread arrives before its copy is started.
  EXPECT_THAT(found("warpwright::phase_arrive_copied(&full);",
                    "warpwright::phase_arrive_copied(&full); warpwright::async_copy<4>(tile + threadIdx.x, a);"),
              HasSubstr("unfinished copy at 7"));
  // The phase does not wait for half of the threads.
  EXPECT_THAT(found("&full, 64", "&full, 32"), HasSubstr("unfinished copy at 9"));
}

Experiment ring(const std::string& text, const std::string& stages, int tiles = 11) {
  std::vector<float> in(static_cast<std::size_t>(tiles) * 128);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  Experiment experiment{.text = text, .entry = "ring<" + stages + ">", .grid = {2}, .block = {96}};
  experiment.with("in", Role::in, ElementType::f32, in);
  experiment.with("out", Role::out, ElementType::f32, std::vector<float>(in.size()));
  experiment.values = {value(tiles)};
  return experiment;
}

TEST(BulkCopies, fill_a_ring_of_stages) {
  for (const std::string stages : {"1", "2", "3"}) {
    for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
      Experiment experiment = ring(ring_kernel, stages);
      const Execution execution = experiment.run(seed);
      ASSERT_EQ(summary_of(execution), "") << describe(execution.findings[0]) << " under seed " << seed;
      const auto out = values_of<float>(experiment.contents[1]);
      for (std::size_t i = 0; i < out.size(); ++i)
        ASSERT_EQ(out[i], 2 * static_cast<float>(i / 128 * 128 + 127 - i % 128)) << i;
    }
  }
}

TEST(BulkCopies, are_counted_by_lines_of_128_bytes) {
  Experiment experiment = ring(ring_kernel, "2");
  SimulationOptions options;
  options.count_accesses = true;
  const Execution execution = experiment.run(options);
  const auto copy = std::ranges::find_if(execution.lines, [](const LineAccess& line) {
    return line.counts.global_load_requests > 0 && line.counts.shared_store_requests > 0;
  });
  ASSERT_NE(copy, execution.lines.end());
  EXPECT_EQ(copy->counts.global_load_requests, 11u * 4);
  EXPECT_EQ(copy->counts.global_load_sectors, 11u * 16);
  EXPECT_EQ(copy->counts.global_load_bytes, 11u * 512);
  EXPECT_EQ(copy->counts.shared_store_wavefronts, 11u * 4);
  EXPECT_EQ(execution.access.global_load_sectors, 11u * 16) << "nothing else is loaded";
}

const std::string hang = "threads poll memory that no thread changes any more";

/// Expects that under each of several schedules a finding has one of the words.
void expect_found(const std::string& text, const std::vector<std::string>& words) {
  constexpr std::uint64_t some_seeds = 4;
  for (std::uint64_t seed = 0; seed < some_seeds; ++seed) {
    std::string all;
    for (const Finding& finding : ring(text, "2").run(seed).findings) all += describe(finding) + '\n';
    ASSERT_TRUE(std::any_of(words.begin(), words.end(), [&](const auto& one) { return all.find(one) < all.size(); }))
        << all << " under seed " << seed;
  }
}

TEST(BulkCopies, that_nobody_waits_for_are_found) {
  expect_found(with(ring_kernel, "phase_wait(&full[s], parity);", ""),
               {"while an asynchronous copy writes it", "nobody wrote", "races with"});
}

TEST(BulkCopies, a_wait_for_the_wrong_parity_is_found) {
  expect_found(with(ring_kernel, "phase_wait(&full[s], parity);", "phase_wait(&full[s], parity ^ 1);"),
               {"while an asynchronous copy writes it", "nobody wrote", "races with", hang});
  expect_found(with(ring_kernel, "phase_wait(&empty[s], parity ^ 1);", "phase_wait(&empty[s], parity);"), {hang});
}

TEST(BulkCopies, into_a_slot_that_is_still_in_use_are_found) {
  expect_found(with(ring_kernel, "phase_wait(&empty[s], parity ^ 1);", ""),
               {"races with", "while an asynchronous copy", "more than 1 arrivals", hang});
  expect_found(with(ring_kernel, "phase_arrive(&empty[s]);\n    }", "}"), {hang});
}

TEST(BulkCopies, of_bytes_that_nobody_expects_are_found) {
  const std::string expects = "phase_arrive_expect(&full[s], kTile * 4);";
  expect_found(with(ring_kernel, expects, "phase_arrive(&full[s]);"),
               {"expects 0 bytes", "while an asynchronous copy"});
  expect_found(with(ring_kernel, expects, "phase_arrive_expect(&full[s], kTile * 4 - 16);"), {"expects 496 bytes"});
  expect_found(with(ring_kernel, expects, "phase_arrive_expect(&full[s], kTile * 4 + 16);"), {hang});
}

TEST(BulkCopies, before_their_barrier_is_set_up_are_found_in_some_schedule) {
  const std::string text = with(ring_kernel, "__syncthreads();", "");
  std::set<FindingKind> kinds;
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed)
    for (const Finding& finding : ring(text, "2").run(seed).findings) kinds.insert(finding.kind);
  EXPECT_TRUE(kinds.contains(FindingKind::uninitialised_read));
}

TEST(BulkCopies, find_barriers_that_no_fence_has_made_visible_to_them) {
  const std::string bare = with(ring_kernel, "fence_async();", "");
  const std::string words = "no fence_async has followed its phase_init";
  expect_found(bare, {words});
  expect_found(with(bare, "__syncthreads();", "__syncthreads(); if (threadIdx.x == 1) fence_async();"), {words});
  EXPECT_EQ(summary_of(ring(with(bare, "__syncthreads();", "fence_async(); __syncthreads();"), "2").run(1)), "");
}

TEST(BulkCopies, move_multiples_of_sixteen_bytes) {
  const std::string copy = "bulk_copy(stage[s], in + tile * kTile, kTile * 4, &full[s]);";
  for (const std::string wrong : {"bulk_copy(stage[s], in + tile * kTile + 1, kTile * 4, &full[s]);",
                                  "bulk_copy(&stage[s][2], in + tile * kTile, kTile * 4 - 16, &full[s]);",
                                  "bulk_copy(stage[s], in + tile * kTile, kTile * 4 - 8, &full[s]);"})
    expect_found(with(ring_kernel, copy, wrong), {"a bulk copy moves a multiple of 16 bytes"});
  expect_found(with(ring_kernel, copy, "bulk_copy(stage[s] + 4, in + tile * kTile, kTile * 8, &full[s]);"),
               {"out of bounds"});
}

/// Stores tiles that are twice those of the input, by two stages. With PTX, as users write it.
std::string storing_kernel(bool by_ptx = false) {
  const std::string text = R"(
using namespace warpwright;
constexpr int kTile = 256;
__global__ void doubled(const float* in, float* out, int tiles) {
  alignas(128) __shared__ float stage[2][kTile];
  for (int i = 0; i < tiles; ++i) {
    float* const at = stage[i % 2];
    if (threadIdx.x == 0) bulk_wait_reads<1>();  // WAIT
    __syncthreads();  // FREE
    for (int k = threadIdx.x; k < kTile; k += 64) at[k] = 2 * in[i * kTile + k];  // FILL
    fence_async();  // FENCE
    __syncthreads();  // FULL
    if (threadIdx.x == 0) {
      bulk_store(out + i * kTile, at, kTile * 4);  // STORE
      bulk_commit();
    }
  }
  if (threadIdx.x == 0) bulk_wait_reads<0>();  // LAST
}
)";
  if (!by_ptx) return text;
  std::string ptx =
      with(text, "bulk_wait_reads<1>();", R"(asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");)");
  ptx = with(ptx, "bulk_wait_reads<0>();", R"(asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(0) : "memory");)");
  ptx = with(ptx, "fence_async();", R"(asm volatile("fence.proxy.async.shared::cta;" ::: "memory");)");
  ptx = with(ptx, "bulk_commit();", R"(asm volatile("cp.async.bulk.commit_group;" ::: "memory");)");
  return with(ptx, "bulk_store(out + i * kTile, at, kTile * 4);",
              R"(asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + i * kTile),
                              "r"((unsigned)__cvta_generic_to_shared(at)), "r"(kTile * 4) : "memory");)");
}

Experiment storing(const std::string& text, int tiles = 5) {
  std::vector<float> in(static_cast<std::size_t>(tiles) * 256);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  Experiment experiment{.text = text, .entry = "doubled", .block = {64}};
  experiment.with("in", Role::in, ElementType::f32, in);
  experiment.with("out", Role::out, ElementType::f32, std::vector<float>(in.size()));
  experiment.values = {value(tiles)};
  return experiment;
}

/// Expects that under each of several schedules a finding has one of the words.
void expect_found_in_stores(const std::string& text, const std::vector<std::string>& words) {
  constexpr std::uint64_t some_seeds = 4;
  for (std::uint64_t seed = 0; seed < some_seeds; ++seed) {
    std::string all;
    for (const Finding& finding : storing(text).run(seed).findings) all += describe(finding) + '\n';
    ASSERT_TRUE(std::any_of(words.begin(), words.end(), [&](const auto& one) { return all.find(one) < all.size(); }))
        << all << " under seed " << seed << text;
  }
}

TEST(BulkStores, empty_two_stages) {
  for (const bool by_ptx : {false, true})
    for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
      Experiment experiment = storing(storing_kernel(by_ptx));
      const Execution execution = experiment.run(seed);
      ASSERT_EQ(summary_of(execution), "") << describe(execution.findings[0]) << " under seed " << seed;
      const auto out = values_of<float>(experiment.contents[1]);
      for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], 2 * static_cast<float>(i)) << i;
    }
}

TEST(BulkStores, read_their_source_until_the_wait) {
  const std::string under_way = "reads it: it is still under way, no wait covers it", kernel = storing_kernel();
  expect_found_in_stores(with(kernel, "if (threadIdx.x == 0) bulk_wait_reads<1>();", ""), {under_way});
  expect_found_in_stores(with(kernel, "bulk_wait_reads<1>();", "bulk_wait_reads<2>();"), {under_way});
  // Only after the barrier, too late for the other threads.
  expect_found_in_stores(
      with(with(kernel, "if (threadIdx.x == 0) bulk_wait_reads<1>();", ""), "__syncthreads();  // FREE",
           "__syncthreads(); if (threadIdx.x == 0) bulk_wait_reads<1>();"),
      {under_way, "races with a load by another thread"});
  for (const std::string missing : {"if (threadIdx.x == 0) bulk_wait_reads<0>();", "bulk_commit();"})
    expect_found_in_stores(with(kernel, missing, ""),
                           {"nobody waits for the asynchronous copy of 1024 bytes", under_way});
}

TEST(BulkStores, see_stores_only_behind_a_fence_and_a_barrier) {
  const std::string words = "and the thread that stored has executed no fence_async since", kernel = storing_kernel();
  expect_found_in_stores(with(kernel, "fence_async();", ""), {words});
  expect_found_in_stores(with(kernel, "fence_async();", "if (threadIdx.x == 0) fence_async();"), {words});
  expect_found_in_stores(with(kernel, "__syncthreads();  // FULL", ""), {"races with", "nobody wrote", words});
  // The thread that starts the copy may execute the fence for all, after the barrier.
  const std::string by_one =
      with(with(kernel, "fence_async();", ""), "{\n      bulk_store", "{\n      fence_async();\n      bulk_store");
  for (std::uint64_t seed = 0; seed < 8; ++seed) EXPECT_EQ(summary_of(storing(by_one).run(seed)), "");
}

TEST(BulkStores, are_complete_after_the_wait_for_all_of_them) {
  const std::string last = "if (threadIdx.x == 0) bulk_wait_reads<0>();";
  const auto reads_after = [&](const std::string& wait, const std::string& meanwhile = "") {
    return with(storing_kernel(), last,
                "if (threadIdx.x == 0) " + wait + meanwhile + " if (threadIdx.x == 0 && out[3] != 6) __trap();");
  };
  expect_found_in_stores(
      reads_after("bulk_wait_reads<0>();"),
      {"load of 4 bytes at byte 12 of buffer 'out' of 5120 bytes while an asynchronous copy writes it"});
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    EXPECT_EQ(summary_of(storing(reads_after("bulk_wait<0>();")).run(seed)), "");
  // Other threads see it behind a barrier, too.
  const std::string by_another = with(storing_kernel(), last,
                                      "if (threadIdx.x == 0) bulk_wait<0>();\n  __syncthreads();\n"
                                      "  if (threadIdx.x == 63 && out[3] != 6) __trap();");
  for (std::uint64_t seed = 0; seed < 8; ++seed) EXPECT_EQ(summary_of(storing(by_another).run(seed)), "");
  expect_found_in_stores(with(by_another, "bulk_wait<0>", "bulk_wait_reads<0>"),
                         {"while an asynchronous copy writes it", "races with a store by another thread"});
  expect_found_in_stores(with(by_another, "  __syncthreads();\n  if (threadIdx.x == 63", "  if (threadIdx.x == 63"),
                         {"while an asynchronous copy writes it", "races with", "nobody wrote"});
}

TEST(BulkStores, move_multiples_of_sixteen_bytes_from_shared_to_global_memory) {
  const std::string store = "bulk_store(out + i * kTile, at, kTile * 4);";
  for (const std::string wrong : {"bulk_store(out + i * kTile + 1, at, kTile * 4);",
                                  "bulk_store(out + i * kTile, at + 2, 16);", "bulk_store(out + i * kTile, at, 20);"})
    expect_found_in_stores(with(storing_kernel(), store, wrong), {"a bulk copy moves a multiple of 16 bytes"});
  for (const std::string wrong :
       {"bulk_store(out + i * kTile, at + 16, kTile * 8);", "bulk_store(at, at, 16);",
        "bulk_store(out + i * kTile, in, 16);", "bulk_store(out + (i + 4) * kTile, at, 2048);"})
    expect_found_in_stores(with(storing_kernel(), store, wrong), {"out of bounds"});
  expect_found_in_stores(with(storing_kernel(), store, "bulk_store((float*)in + i * kTile, at, 1024);"),
                         {"store to input buffer 'in'"});
}

TEST(BulkStores, are_counted_by_lines_of_128_bytes) {
  SimulationOptions options;
  options.count_accesses = true;
  const Execution execution = storing(storing_kernel()).run(options);
  EXPECT_EQ(execution.access.global_store_sectors, 5u * 32);
  EXPECT_EQ(execution.access.global_store_requests, 5u * 8);
  EXPECT_EQ(execution.access.global_store_bytes, 5u * 1024);
}

}  // namespace
}  // namespace warpwright::simulator
