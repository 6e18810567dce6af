// When a mutation behaves as before by construction, and why.
#include "conformance/mutation_equivalences.hpp"

#include <algorithm>

namespace warpwright::conformance {
namespace {

/// The operands of the relation at `token`, up to the brackets and operators that end an expression.
struct Operands {
  std::string left, right;
  std::size_t first = 0, last = 0;
};

bool ends_operand(std::string_view word) {
  constexpr std::string_view kEnds[] = {"&&", "||", "?", ":", ";", ",", "=", "return", "(", ")", "[", "]", "{", "}"};
  return std::ranges::find(kEnds, word) != std::end(kEnds);
}

Operands operands_at(const DeviceSource& source, std::size_t token) {
  std::size_t first = token - 1;
  while (source.partner(first) < first || !ends_operand(source.word(first))) first = source.partner(first) - 1;
  std::size_t last = token + 1;
  while (source.partner(last) > last || !ends_operand(source.word(last))) last = source.partner(last) + 1;
  return {source.words({first + 1, token - 1}), source.words({token + 1, last - 1}), first + 1, last - 1};
}

/// Whether the tokens hold the words of `text`, one after another.
bool has_words(const DeviceSource& source, TokenRange range, const std::string& text) {
  return !range.empty() && (" " + source.words(range) + " ").find(text) != std::string::npos;
}

/// Whether some loop within `range` runs over `name` or from it, up to `limit`.
bool loops_to(const Site& site, TokenRange range, const std::string& name, const std::string& limit) {
  return std::ranges::any_of(site.function.statements, [&](const Statement& loop) {
    return loop.kind == Statement::Kind::loop && range.contains(loop.all.first) &&
           has_words(site.source, loop.head, " < " + limit + ";") &&
           (has_words(site.source, loop.head, "= " + name + ";") ||
            has_words(site.source, loop.head, "; " + name + " < " + limit + ";"));
  });
}

}  // namespace

std::string same_at_equality(const Site& site, std::size_t token) {
  const DeviceSource& source = site.source;
  const Operands operands = operands_at(source, token);
  if (source.word(operands.last + 1) != "?") return {};
  const std::size_t chosen = operands.last + 2;
  std::size_t colon = chosen;
  while (!ends_operand(source.word(colon)) || source.partner(colon) > colon) colon = source.partner(colon) + 1;
  if (source.word(colon) != ":") return {};
  std::size_t end = colon + 1;
  while (!ends_operand(source.word(end)) || source.partner(end) > end) end = source.partner(end) + 1;
  const std::string yes = source.words({chosen, colon - 1});
  const std::string no = source.words({colon + 1, end - 1});
  const bool picks_one =
      (yes == operands.left && no == operands.right) || (yes == operands.right && no == operands.left);
  return picks_one ? "where both are equal, either is the same value" : "";
}

std::string has_slow_path(const Site& site, std::size_t token) {
  const DeviceSource& source = site.source;
  const Operands operands = operands_at(source, token);
  const std::string name(source.word(operands.first));
  for (const Statement& statement : site.function.statements) {
    if (statement.kind == Statement::Kind::branch && statement.head.contains(token) && !statement.otherwise.empty() &&
        loops_to(site, statement.otherwise, name, operands.right))
      return "the loop of the else branch handles the same elements one by one";
    if (statement.kind == Statement::Kind::loop && statement.head.contains(token) &&
        source.word(statement.head.first) == ";" &&
        loops_to(site, {statement.all.last + 1, site.function.body.last}, name, operands.right))
      return "the loop behind it goes on where this one ends, over the same elements in the same order";
  }
  // A condition with a name: the branches that ask for it are looked at.
  for (const Statement& statement : site.function.statements) {
    if (statement.kind != Statement::Kind::simple || !statement.all.contains(token)) continue;
    std::size_t at = statement.all.first;
    if (source.word(at) == "const") ++at;
    if (source.word(at) != "bool" || source.word(at + 2) != "=") continue;
    const std::string_view condition = source.word(at + 1);
    bool asked = false;
    bool slow = true;
    for (const Statement& branch : site.function.statements)
      if (branch.kind == Statement::Kind::branch && branch.head.first == branch.head.last &&
          source.word(branch.head.first) == condition) {
        asked = true;
        slow = slow && has_words(source, branch.otherwise, " < " + operands.right + ")");
      }
    if (asked && slow) return "the else branch handles the same elements one by one, within the same bound";
  }
  return {};
}

const std::vector<DeclaredEquivalence>& declared_equivalences() {
  // tiled_vector: the tile has room for places beyond the matrix; a thread stores there what nobody reads, since the
  // second half reads the tile only where row < rows and column < columns.
  constexpr const char* kNobodyReads = "places of the tile beyond the matrix are each one thread's own and never read";
  constexpr const char* kNobodyStores = "what tiles beyond the values combine is stored by nobody";
  constexpr const char* kSlowPath = "the loop of the else branch combines the same elements one by one";
  constexpr const char* kAsksAgain = "every load and combination inside asks for at + i * threads < vectors again";
  constexpr const char* kLoopHasEnded =
      "the loop before ended where at + (coarsening - 1) * threads < vectors fails, which is asked again inside";
  constexpr const char* kPowersOfTwo =
      "both are powers of two, of which the larger is 32 or more: they never differ by one";
  static const std::string persistent = "kernels/reduce/persistent.cuh";
  static const std::string tiled_vector = "kernels/transpose/tiled_vector.cuh";
  static const std::vector<DeclaredEquivalence> list{
      {tiled_vector, "< for <=", "origin.row + slow + i * kRowStep < rows -> origin.row + slow + i * kRowStep <= rows",
       1, kNobodyReads},
      {tiled_vector, "< for <=", "origin.column + fast + k < columns -> origin.column + fast + k <= columns", 2,
       kNobodyReads},
      {tiled_vector, "drop a guard",
       "if (origin.row + slow + i * kRowStep < rows && origin.column + fast + k < columns) -> if (true)", 1,
       kNobodyReads},
      // A tile without a value of its own combines identities, and only tiles below kTiles store what they have.
      {"kernels/reduce/cooperative_groups.cuh",
       "< for <=", "tile.meta_group_rank() < kTiles -> tile.meta_group_rank() <= kTiles", 1, kNobodyStores},
      {"kernels/reduce/cooperative_groups.cuh", "drop a guard", "if (tile.meta_group_rank() < kTiles) -> if (true)", 1,
       kNobodyStores},
      {"kernels/reduce/first_add_on_load.cuh",
       "< for <=", "section + 2 * kHalf <= count -> section + 2 * kHalf < count", 1, kSlowPath},
      {"kernels/reduce/first_add_on_load.cuh", "off by one in a bound",
       "section + 2 * kHalf <= count -> section + 2 * kHalf + 1 <= count", 1, kSlowPath},
      {persistent, "drop a guard", "if (P.coarsening > 1 && at < vectors) -> if (true)", 1, kAsksAgain},
      {persistent, "< for <=", "P.coarsening > 1 -> P.coarsening >= 1", 1,
       "without coarsening the loops inside have no iteration"},
      {persistent, "< for <=", "at < vectors -> at <= vectors", 1, kAsksAgain},
      {persistent, "< for <=", "i < P.coarsening - 1 -> i <= P.coarsening - 1", 1, kLoopHasEnded},
      {persistent, "< for <=", "i < P.coarsening - 1 -> i <= P.coarsening - 1", 2, kLoopHasEnded},
      {"kernels/block/groups.cuh", "remove a barrier", "__syncthreads(); -> (nothing)", 1,
       "before it only thread 0 has written, and thread 0 is the one that arrives"},
      {"kernels/reduce/strided_index.cuh", "off by one in a bound",
       "stride < P.block_size -> stride + 1 < P.block_size", 1, kPowersOfTwo},
      {"kernels/reduce/strided_index.cuh", "off by one in a bound", "at < P.block_size -> at + 1 < P.block_size", 1,
       "both are even"},
      {"kernels/reduce/unrolled_warp.cuh", "off by one in a bound", "half > 32 -> half - 1 > 32", 1, kPowersOfTwo},
      {"kernels/reduce/interleaved.cuh", "off by one in a bound", "stride < P.block_size -> stride + 1 < P.block_size",
       1, kPowersOfTwo},
  };
  return list;
}

}  // namespace warpwright::conformance
