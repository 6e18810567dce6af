// Plans of the pipelines: buffers, chunks, and what happens to a chunk in a stream.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/model/kernel.hpp"

namespace warpwright::pipeline {

/// in and out of a problem, in that place.
std::vector<Buffer> buffers(const Problem& problem, Where where);

/// Elements [begin, begin + count) of the problem.
struct Chunk {
  std::int64_t begin = 0, count = 0;
};

/// At most `most` chunks of the first `elements` elements: of the same multiple of 32, but for the last. Of no elements
/// none.
std::vector<Chunk> chunks_of(std::int64_t elements, int most);

/// How threads are laid over the elements of a chunk.
struct Grid {
  int block_size = 256;
  int coarsening = 1;
  std::int64_t most_blocks = std::int64_t{1} << 30;
};

/// A plan under construction, of a kernel whose function is called with (in, out, count, operations).
class Pipeline {
 public:
  Pipeline(const PlanRequest& request, const std::string& function, Grid grid, Where where);

  Plan take() { return std::move(plan_); }
  const Problem& problem() const { return request_.problem; }
  /// Scratch of so many elements.
  void add_scratch(const std::string& name, std::int64_t count, Where where = Where::device);

  /// From elements `from_begin` of a buffer on to `to_begin` of another.
  void copy(const std::string& from, std::int64_t from_begin, const std::string& to, std::int64_t to_begin,
            std::int64_t count, int stream, const std::string& label = "", std::vector<std::string> waits = {});
  void launch(const std::string& from, std::int64_t from_begin, const std::string& to, std::int64_t to_begin,
              std::int64_t count, int stream, const std::string& label = "", std::vector<std::string> waits = {});
  void prefetch(const std::string& buffer, const Chunk& chunk, bool to_host, int stream);
  /// The host works on a chunk of in, or touches the pages of all of out.
  void work_on_host(const Chunk& chunk);
  void visit_output();
  /// The host waits for everything.
  void synchronise();

 private:
  std::int64_t bytes(std::int64_t elements) const;

  const PlanRequest& request_;
  std::string function_;
  Grid grid_;
  Plan plan_;
};

/// Every chunk goes through a slot of the device's scratch of its stream: copy in, kernel, copy out; ends with a wait
/// for everything, before which the host has its own steps.
void through_slots(
    Pipeline& pipeline, const std::vector<Chunk>& chunks, int streams, const std::function<void()>& meanwhile = [] {});

/// The same with streams for copies in, for kernels and for copies out; events order them, also where a slot is used
/// again.
void through_stages(Pipeline& pipeline, const std::vector<Chunk>& chunks, int slots);

}  // namespace warpwright::pipeline
