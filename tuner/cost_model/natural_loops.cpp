// Finds loops by dominators.
#include "tuner/cost_model/natural_loops.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace warpwright::tuner {
namespace {

using gpu::Instruction;

/// The basic blocks that are reachable from the first one, and their dominators.
class FlowGraph {
 public:
  explicit FlowGraph(const std::vector<Instruction>& code) {
    divide(code);
    connect(code);
    order_blocks();
    find_dominators();
  }

  /// For each block to which some block that it dominates jumps back: the blocks of that loop.
  std::map<std::size_t, std::vector<std::size_t>> loops() const {
    std::map<std::size_t, std::vector<std::size_t>> found;
    for (const std::size_t from : order_)
      for (const std::size_t head : next_[from])
        if (dominates(head, from)) add_body(found[head], head, from);
    return found;
  }

  std::size_t begin_of(std::size_t block) const { return begins_[block]; }
  std::size_t end_of(std::size_t block) const { return begins_[block + 1]; }

 private:
  static std::optional<std::size_t> target_of(const std::vector<Instruction>& code, std::size_t at) {
    const auto& target = code[at].target;
    // A branch to itself is padding after the end of the code.
    const bool is_in_code =
        target && *target >= 0 && *target < std::ssize(code) && *target != static_cast<std::int64_t>(at);
    return is_in_code ? std::optional(static_cast<std::size_t>(*target)) : std::nullopt;
  }

  void divide(const std::vector<Instruction>& code) {
    std::vector<bool> begins(code.size() + 1);
    begins.front() = begins.back() = true;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (code[i].target || code[i].ends) begins[i + 1] = true;
      if (const auto target = target_of(code, i)) begins[*target] = true;
    }
    for (std::size_t i = 0; i <= code.size(); ++i)
      if (begins[i]) begins_.push_back(i);
    next_.resize(begins_.size() - 1);
    before_.resize(next_.size());
  }

  void connect(const std::vector<Instruction>& code) {
    for (std::size_t block = 0; block < next_.size(); ++block) {
      const std::size_t last = end_of(block) - 1;
      const auto add = [&](std::size_t to) {
        next_[block].push_back(to);
        before_[to].push_back(block);
      };
      if (!code[last].ends && block + 1 < next_.size()) add(block + 1);
      if (const auto target = target_of(code, last))
        add(static_cast<std::size_t>(std::ranges::lower_bound(begins_, *target) - begins_.begin()));
    }
  }

  /// In reverse post-order.
  void order_blocks() {
    std::vector<bool> seen(next_.size());
    std::vector<std::pair<std::size_t, std::size_t>> path{{0, 0}};
    seen[0] = true;
    while (!path.empty()) {
      auto& [block, done] = path.back();
      if (done == next_[block].size()) {
        order_.push_back(block);
        path.pop_back();
      } else if (const std::size_t to = next_[block][done++]; !seen[to]) {
        seen[to] = true;
        path.emplace_back(to, 0);
      }
    }
    std::ranges::reverse(order_);
  }

  /// Source: K. D. Cooper, T. J. Harvey, K. Kennedy, A Simple, Fast Dominance Algorithm, 2001.
  void find_dominators() {
    place_.assign(next_.size(), next_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
    dominator_.assign(order_.size(), order_.size());
    dominator_[0] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 1; i < order_.size(); ++i) {
        std::size_t common = order_.size();
        for (const std::size_t from : before_[order_[i]]) {
          std::size_t other = place_[from];
          if (other >= order_.size() || dominator_[other] == order_.size()) continue;
          if (common == order_.size()) common = other;
          while (common != other) (common > other ? common : other) = dominator_[std::max(common, other)];
        }
        changed |= std::exchange(dominator_[i], common) != common;
      }
    }
  }

  bool dominates(std::size_t head, std::size_t block) const {
    std::size_t at = place_[block];
    while (at > place_[head]) at = dominator_[at];
    return at == place_[head];
  }

  void add_body(std::vector<std::size_t>& body, std::size_t head, std::size_t from) const {
    if (body.empty()) body.push_back(head);
    std::vector<std::size_t> left{from};
    while (!left.empty()) {
      const std::size_t block = left.back();
      left.pop_back();
      if (place_[block] == next_.size() || std::ranges::find(body, block) != body.end()) continue;
      body.push_back(block);
      left.insert(left.end(), before_[block].begin(), before_[block].end());
    }
  }

  std::vector<std::size_t> begins_;  ///< of blocks, and the end of the code
  std::vector<std::vector<std::size_t>> next_, before_;
  std::vector<std::size_t> order_;      ///< blocks
  std::vector<std::size_t> place_;      ///< of a block in that order; as many as there are blocks: it is unreachable
  std::vector<std::size_t> dominator_;  ///< by place: the place of the nearest dominator
};

}  // namespace

std::vector<std::vector<std::size_t>> natural_loops(const std::vector<Instruction>& code) {
  std::vector<std::vector<std::size_t>> loops;
  if (code.empty()) return loops;
  const FlowGraph graph(code);
  for (auto& [head, blocks] : graph.loops()) {
    std::vector<std::size_t>& loop = loops.emplace_back();
    std::vector<std::size_t> ascending = blocks;
    std::ranges::sort(ascending);
    for (const std::size_t block : ascending)
      for (std::size_t i = graph.begin_of(block); i < graph.end_of(block); ++i) loop.push_back(i);
  }
  return loops;
}

}  // namespace warpwright::tuner
