// Plans of pipelines: buffers, chunks, and the operations on a chunk in a stream.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/model/kernel.hpp"

namespace warpwright::pipeline {

/// The buffers of a problem, in and out, in that kind of memory.
std::vector<Buffer> buffers(const Problem& problem, Where where);

/// Elements [begin, begin + count) of the problem.
struct Chunk {
  std::int64_t begin = 0, count = 0;
};

/// Divides the first `elements` elements into at most `most` chunks, all of the same size except the last one; sizes
/// are multiples of 32. No elements give no chunk.
std::vector<Chunk> chunks_of(std::int64_t elements, int most);

/// How threads are assigned to the elements of a chunk.
struct Grid {
  int block_size = 256;
  int coarsening = 1;
  std::int64_t most_blocks = std::int64_t{1} << 30;
};

/// A plan under construction, for a kernel with the arguments (in, out, count, operations).
class Pipeline {
 public:
  Pipeline(const PlanRequest& request, const std::string& function, Grid grid, Where where);

  Plan take() { return std::move(plan_); }
  const Problem& problem() const { return request_.problem; }
  /// Adds a scratch buffer of this many elements.
  void add_scratch(const std::string& name, std::int64_t count, Where where = Where::device);

  /// Copies from element `from_begin` of one buffer to element `to_begin` of another.
  void copy(const std::string& from, std::int64_t from_begin, const std::string& to, std::int64_t to_begin,
            std::int64_t count, int stream, const std::string& label = "", std::vector<std::string> waits = {});
  void launch(const std::string& from, std::int64_t from_begin, const std::string& to, std::int64_t to_begin,
              std::int64_t count, int stream, const std::string& label = "", std::vector<std::string> waits = {});
  void prefetch(const std::string& buffer, const Chunk& chunk, bool to_host, int stream);
  /// A host step: computes a chunk of in, or touches the pages of all of out.
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

/// The axes of kernels that divide the work into chunks on a few streams.
template <class P>
SpaceOf<P> streams_space() {
  SpaceOf<P> space;
  space.axis("block_size", &P::block_size, {128, 256, 512})
      .axis("coarsening", &P::coarsening, {1, 4})
      .axis("streams", &P::streams, {1, 2, 4})
      .axis("chunks", &P::chunks, {1, 4, 16})
      .require("no more streams than chunks", [](const P& p) { return p.streams <= p.chunks; });
  return space;
}

/// Each stream has a slot of device scratch, through which it passes its chunks: copy in, kernel, copy out. Ends with a
/// wait for everything, before which the host runs its own steps.
void through_slots(
    Pipeline& pipeline, const std::vector<Chunk>& chunks, int streams, const std::function<void()>& meanwhile = [] {});

/// The same with separate streams for copies in, kernels and copies out. Events order them, and also the reuse of
/// slots.
void through_stages(Pipeline& pipeline, const std::vector<Chunk>& chunks, int slots);

}  // namespace warpwright::pipeline
