// Properties of parts of the simulator that need no device code.
#include <gtest/gtest.h>
// rapidcheck's header for gtest comes after gtest.
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <thread>

#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/runtime/simulator/state/shadow.hpp"
#include "kernels/runtime/simulator/state/vector_clock.hpp"
#include "kernels/runtime/simulator/trace/access_trace.hpp"

namespace warpwright::simulator {
namespace {

constexpr std::uint32_t threads_per_block = 4, all_threads = 80;

SharedClock drawn_clock() {
  if (*rc::gen::inRange(0, 5) == 0) return nullptr;
  VectorClock drawn(threads_per_block);
  for (int i = *rc::gen::inRange(0, 6); i > 0; --i)
    drawn.learn_block(*rc::gen::inRange(0u, all_threads / threads_per_block), *rc::gen::inRange(1u, 6u));
  for (int i = *rc::gen::inRange(0, 20); i > 0; --i)
    drawn.learn_thread(*rc::gen::inRange(0u, all_threads), *rc::gen::inRange(1u, 6u));
  return std::make_shared<const VectorClock>(std::move(drawn));
}

bool covers(const SharedClock& known, std::uint32_t thread, std::uint32_t time) {
  return known != nullptr && known->covers(thread, time);
}

RC_GTEST_PROP(VectorClock, merged_covers_what_either_covers, ()) {
  const SharedClock a = drawn_clock(), b = drawn_clock();
  const SharedClock both = merged(a, b);
  for (std::uint32_t thread = 0; thread < all_threads; ++thread) {
    for (std::uint32_t time = 1; time < 7; ++time) {
      RC_ASSERT(covers(both, thread, time) == (covers(a, thread, time) || covers(b, thread, time)));
    }
  }
}

RC_GTEST_PROP(VectorClock, stamps_compare_as_vector_clocks_do, ()) {
  constexpr std::uint32_t threads = 40;
  struct Told {
    SharedClock known;
    std::vector<std::uint32_t> clock;
  };
  std::vector<Told> of_thread(threads, Told{nullptr, std::vector<std::uint32_t>(threads, 0)});
  std::vector<std::uint32_t> times(threads, 1);
  std::vector<Told> told;
  for (int step = *rc::gen::inRange(1, 120); step > 0; --step) {
    const auto thread = *rc::gen::inRange(0u, threads);
    Told& self = of_thread[thread];
    if (told.empty() || *rc::gen::inRange(0, 3) == 0) {
      VectorClock all = self.known == nullptr ? VectorClock(threads_per_block) : *self.known;
      all.learn_thread(thread, times[thread] + 1);
      all.stamp({thread, times[thread]});
      self.clock[thread] = ++times[thread];
      told.push_back({std::make_shared<const VectorClock>(std::move(all)), self.clock});
    } else {
      const Told& other = told[*rc::gen::inRange<std::size_t>(0, told.size())];
      self.known = merged(self.known, other.known);
      for (std::uint32_t i = 0; i < threads; ++i) self.clock[i] = std::max(self.clock[i], other.clock[i]);
      for (std::uint32_t i = 0; i < threads; ++i)
        if (i != thread && self.clock[i] > 0)
          RC_ASSERT(self.known->covers(i, self.clock[i] - 1) && !self.known->covers(i, self.clock[i]));
    }
  }
  for (const Told& a : told)
    for (const Told& b : told)
      RC_ASSERT(a.known->covers(*b.known) ==
                std::equal(a.clock.begin(), a.clock.end(), b.clock.begin(), std::greater_equal<>()));
}

Request drawn_request() {
  Request request;
  request.bytes = static_cast<std::uint8_t>(1 << *rc::gen::inRange(0, 5));
  request.lanes = *rc::gen::arbitrary<std::uint32_t>();
  for (auto& address : request.addresses)
    address = static_cast<std::uint64_t>(*rc::gen::inRange(0, 300)) * request.bytes;
  return request;
}

RC_GTEST_PROP(Requests, sectors_and_bytes_are_those_that_a_set_counts, ()) {
  const Request request = drawn_request();
  std::set<std::uint64_t> sectors, bytes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((request.lanes >> lane & 1u) == 0) continue;
    for (unsigned i = 0; i < request.bytes; ++i) {
      sectors.insert((request.addresses[lane] + i) / 32);
      bytes.insert(request.addresses[lane] + i);
    }
  }
  RC_ASSERT(sectors_of(request) == sectors.size());
  RC_ASSERT(distinct_bytes_of(request) == bytes.size());
}

RC_GTEST_PROP(Requests, wavefronts_lie_between_the_least_and_one_for_each_lane, ()) {
  const Request request = drawn_request();
  RC_ASSERT(wavefronts_of(request) >= least_wavefronts_of(request));
  RC_ASSERT(wavefronts_of(request) <= static_cast<unsigned>(std::popcount(request.lanes)));
}

RC_GTEST_PROP(Shadows, remember_which_bytes_were_written, ()) {
  constexpr std::size_t bytes = 100;
  Shadow shadow;
  shadow.resize(bytes, false);
  shadow.set_all_written(false);
  std::vector<bool> expected(bytes, false);
  for (int i = *rc::gen::inRange(0, 30); i > 0; --i) {
    const auto size = std::size_t{1} << *rc::gen::inRange(0, 5);
    const auto offset = static_cast<std::size_t>(*rc::gen::inRange(0, 6)) * size;
    shadow.set_written(offset, size);
    for (std::size_t b = offset; b < offset + size; ++b) expected[b] = true;
  }
  for (std::size_t size = 1; size <= 16; size *= 2) {
    for (std::size_t offset = 0; offset + size <= bytes; offset += size) {
      bool all = true;
      for (std::size_t b = offset; b < offset + size; ++b) all = all && expected[b];
      RC_ASSERT(shadow.is_written(offset, size) == all);
    }
  }
}

TEST(Threads, of_the_system_run_their_own_executions) {
  const std::string text =
      "__global__ void kernel(int* a) {\n"
      "  __shared__ int tile[64];\n"
      "  tile[threadIdx.x] = a[threadIdx.x];\n  __syncthreads();\n  a[threadIdx.x] = tile[63 - threadIdx.x] + 1;\n}\n";
  module_of(text, {"kernel"});
  module_of(text + "\n", {"kernel"});
  const auto work = [&](const std::string& mine) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      Experiment experiment{.text = mine, .entry = "kernel", .block = {64}};
      experiment.with("a", Role::inout, ElementType::i32, std::vector<int>(64, 1));
      EXPECT_EQ(summary_of(experiment.run(seed)), "");
      EXPECT_EQ(values_of<int>(experiment.contents[0]), std::vector<int>(64, 2));
    }
  };
  std::thread other(work, text + "\n");
  work(text);
  other.join();
}

}  // namespace
}  // namespace warpwright::simulator
