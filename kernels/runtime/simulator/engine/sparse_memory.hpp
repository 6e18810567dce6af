// Which bytes of huge buffers are known, where only some blocks of each launch run.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/runtime/simulator/results/execution.hpp"

namespace warpwright::simulator {

class SparseMemory {
 public:
  enum class Contents {
    input,       ///< given by pages, and not to be written
    restored,    ///< given by pages
    zeros,       ///< until a launch has written it
    of_launches  ///< what the running launch has written
  };

  void begin(std::size_t buffers) {
    buffers_.assign(buffers, {});
    missing_.clear();
    given_ = 0;
    begin_launch();
  }
  void end() { buffers_.clear(); }
  bool is_used() const { return !buffers_.empty(); }
  void set(std::size_t buffer, Contents contents) { buffers_[buffer] = {.contents = contents}; }
  Contents contents(std::size_t buffer) const { return buffers_[buffer].contents; }
  void give(const Page& page) {
    buffers_[page.buffer].pages[page.number].set();
    ++given_;
  }
  /// Whether the bytes are known. Those of an input that is not given are, and its page is missing.
  bool load(std::size_t buffer, std::size_t offset, std::size_t size);
  void store(std::size_t buffer, std::size_t offset, std::size_t size);
  void begin_launch() {
    blocks_.clear();
    for (Known& known : buffers_) known.by_block.clear();
  }
  /// The stores that follow are those of the launch's block with that number, which may run more than once.
  void begin_block(std::uint64_t number);
  /// What each block of the launch did to the buffer, in the order of their numbers in `blocks`; empty if none did.
  const std::vector<BlockAccesses>& by_block(std::size_t buffer) const { return buffers_[buffer].by_block; }
  /// The numbers of the launch's blocks that have begun.
  const std::vector<std::uint64_t>& blocks() const { return blocks_; }
  /// A launch is over of which not all blocks ran: what it wrote is not known.
  void forget_written();
  /// None if there are too many.
  std::vector<Page> missing() const;
  /// Whether more pages of inputs are needed than anybody wants to make.
  bool needs_too_many() const { return given_ + missing_.size() > most_pages; }

 private:
  static constexpr std::size_t most_pages = 250'000;

  struct Known {
    Contents contents = Contents::of_launches;
    bool is_written = false;
    std::unordered_map<std::uint64_t, std::bitset<Page::size>> pages = {};
    std::vector<BlockAccesses> by_block = {};  ///< in the order of `blocks_`, without the last ones that do nothing
  };

  BlockAccesses& of_block(Known& known) const {
    if (known.by_block.size() <= block_) known.by_block.resize(block_ + 1);
    return known.by_block[block_];
  }

  std::vector<Known> buffers_;
  std::set<std::pair<std::size_t, std::uint64_t>> missing_;
  std::size_t given_ = 0;
  std::vector<std::uint64_t> blocks_;
  std::size_t block_ = 0;  ///< the one that runs, among these
};

}  // namespace warpwright::simulator
