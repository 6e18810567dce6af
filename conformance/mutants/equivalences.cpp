// Decides when a mutation cannot change behaviour.
#include "conformance/mutants/equivalences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace warpwright::conformance {
namespace {

/// The operands of the relation at `token`. They end at the brackets and operators that end an expression.
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

/// Whether the tokens of `text` occur in the range, one after another.
bool has_words(const DeviceSource& source, TokenRange range, const std::string& text) {
  return !range.empty() && (" " + source.words(range) + " ").find(text) != std::string::npos;
}

/// Whether a loop within `range` has the variable `name`, or starts at `name`, and runs up to `limit`.
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
  // If the relation initializes a named condition, looks at the branches on that name.
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

std::vector<Equivalence> declared_equivalences(const Catalogue& catalogue, const Kernel& kernel) {
  const std::vector<std::string> known = rule_names();
  std::vector<Equivalence> list;
  for (const std::string& file : includes_of(catalogue.sources(), kernel.source))
    for (const Equivalence& declared : catalogue.equivalences_of(file)) {
      if (std::ranges::find(known, declared.rule) == known.end())
        throw std::invalid_argument(
            fmt::format("{}: no rule '{}'; there are: {}", declared.place(), declared.rule, fmt::join(known, ", ")));
      if (declared.file == file || file == kernel.source) list.push_back(declared);
    }
  return list;
}

std::vector<std::string> obsolete_equivalences(const Catalogue& catalogue) {
  std::set<std::string> met;
  for (const Kernel& kernel : catalogue.kernels())
    for (const Mutation& mutation : mutations_of(catalogue, kernel)) met.insert(mutation.declared);
  std::vector<std::string> obsolete;
  for (const auto& [file, list] : catalogue.equivalences())
    for (const Equivalence& declared : list)
      if (!met.contains(declared.place()))
        obsolete.push_back(fmt::format("{}: no kernel has this mutant: {} #{} | {}", declared.place(), declared.rule,
                                       declared.occurrence, declared.change));
  return obsolete;
}

}  // namespace warpwright::conformance
