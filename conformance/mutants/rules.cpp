// Mutation rules for device source about barriers, comparisons, indices and guards, with the reasons for equivalence.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/mutants/edits.hpp"
#include "conformance/mutants/equivalences.hpp"

namespace warpwright::conformance {
namespace {

// Barriers

bool is_barrier(std::string_view word) {
  return is_one_of(word, {"__syncthreads", "__syncwarp"});
}

Changes remove_barrier(const Site& site) {
  Changes changes;
  for_each_call_statement(site, is_barrier, [&](const Statement& statement, std::size_t) {
    changes.push_back(removal(site, statement.all));
  });
  return changes;
}

Changes barrier_in_branch(const Site& site) {
  Changes changes;
  for_each_call_statement(site, is_barrier, [&](const Statement& statement, std::size_t name) {
    const bool warp = site.source.word(name) == "__syncwarp";
    const std::string branch = warp ? "if (threadIdx.x % 32 < 16) " : "if (threadIdx.x < blockDim.x / 2) ";
    changes.push_back(change_of(site, {before(site, name, branch)}, statement.all));
  });
  return changes;
}

// Comparisons

bool is_spaced(const DeviceSource& source, std::size_t token) {
  const auto& tokens = source.tokens();
  return token > 0 && token + 1 < tokens.size() && tokens[token - 1].end < tokens[token].begin &&
         tokens[token].end < tokens[token + 1].begin;
}

/// Whether the token is a relational operator. Brackets of templates do not have spaces on both sides.
bool is_relation(const DeviceSource& source, std::size_t token) {
  return is_one_of(source.word(token), {"<", "<=", ">", ">="}) && is_spaced(source, token);
}

/// The two operands of a relation.
struct Relation {
  TokenRange left, right;
  TokenRange all() const { return {left.first, right.last}; }
};

Relation relation_at(const DeviceSource& source, std::size_t token) {
  const auto ends = [&](std::size_t at) {
    return is_one_of(source.word(at), {"&&", "||", "?", ":", ";", ",", "=", "return", "(", ")", "[", "]", "{", "}"});
  };
  std::size_t first = token;
  while (first > 0) {
    if (is_one_of(source.word(first - 1), {")", "]"})) {
      first = source.partner(first - 1);
      continue;
    }
    if (ends(first - 1)) break;
    --first;
  }
  std::size_t last = token;
  while (last + 1 < source.tokens().size()) {
    if (is_one_of(source.word(last + 1), {"(", "["})) {
      last = source.partner(last + 1);
      continue;
    }
    if (ends(last + 1)) break;
    ++last;
  }
  return {{first, token - 1}, {token + 1, last}};
}

Changes strict_or_not(const Site& site) {
  Changes changes;
  for_each_token(site, [&](std::size_t i) {
    if (!is_relation(site.source, i)) return;
    const std::string_view word = site.source.word(i);
    const std::string other = word.ends_with('=') ? std::string(word.substr(0, 1)) : std::string(word) + "=";
    Change change = change_of(site, {replace(site, {i, i}, other)}, relation_at(site.source, i).all());
    const bool tighter = word == "<=" || word == ">=";
    change.equivalent = same_at_equality(site, i);
    if (change.equivalent.empty() && tighter && word == "<=") change.equivalent = has_slow_path(site, i);
    changes.push_back(std::move(change));
  });
  return changes;
}

/// The amount by which a loop with this relation in its head advances its variable: "1", or "blockDim.x" for `i +=
/// blockDim.x`.
std::string step_at(const Site& site, std::size_t token) {
  const DeviceSource& source = site.source;
  for (const Statement& loop : site.function.statements)
    if (loop.kind == Statement::Kind::loop && loop.head.contains(token))
      for (std::size_t i = token; i < loop.head.last; ++i)
        if (source.word(i) == "+=")
          return i + 1 == loop.head.last ? source.words({i + 1, loop.head.last})
                                         : "(" + source.words({i + 1, loop.head.last}) + ")";
  return "1";
}

Changes off_by_one_bound(const Site& site) {
  Changes changes;
  for_each_token(site, [&](std::size_t i) {
    if (!is_relation(site.source, i)) return;
    const Relation relation = relation_at(site.source, i);
    const std::string_view word = site.source.word(i);
    Change change = change_of(site, {after(site, relation.left.last, word == ">" ? " - 1" : " + " + step_at(site, i))},
                              relation.all());
    if (word.starts_with('<')) change.equivalent = has_slow_path(site, i);
    changes.push_back(std::move(change));
  });
  return changes;
}

// Indices

/// Whether the bracket opens a subscript: it follows a value and is neither an array extent in a declaration nor a
/// lambda capture.
bool is_subscript(const Site& site, std::size_t open) {
  const DeviceSource& source = site.source;
  if (source.word(open) != "[" || open == 0) return false;
  const std::string_view before_it = source.word(open - 1);
  if (before_it == "]") return is_subscript(site, source.partner(open - 1));
  if (before_it == ")") return source.word(source.partner(open) + 1) != "{";
  if (!source.is_identifier(open - 1) || is_one_of(before_it, {"return", "case"})) return false;
  const std::string_view type = source.word(open - 2);
  const bool declares = type == ">" || type == "*" || (source.is_identifier(open - 2) && type != "return");
  return !declares || (type == "*" && source.word(open - 3) != "const" && !source.is_identifier(open - 3));
}

bool is_memory_primitive(std::string_view word) {
  return is_one_of(word, {"load_vector", "load_vector_readonly", "store_vector", "load_readonly", "load_relaxed",
                          "load_acquire", "store_relaxed", "store_release"});
}

Changes off_by_one_index(const Site& site) {
  Changes changes;
  for_each_token(site, [&](std::size_t i) {
    const DeviceSource& source = site.source;
    if (is_subscript(site, i)) {
      const TokenRange index{i + 1, source.partner(i) - 1};
      const bool simple = index.first == index.last;
      std::vector<Edit> edits{after(site, index.last, simple ? " + 1" : ") + 1")};
      if (!simple) edits.push_back(before(site, index.first, "("));
      std::size_t first = i - 1;
      while (source.word(first) == "]") first = source.partner(first) - 1;
      changes.push_back(change_of(site, std::move(edits), {first, source.partner(i)}));
    } else if (is_memory_primitive(source.word(i))) {
      const std::size_t open = call_open(source, i);
      if (open == 0) return;
      const TokenRange address = source.arguments(open).at(0);
      changes.push_back(change_of(site, {before(site, address.first, "("), after(site, address.last, ") + 1")},
                                  {i, source.partner(open)}));
    }
  });
  return changes;
}

// Guards

bool leaves(const DeviceSource& source, TokenRange statement) {
  const std::size_t first = statement.first + (source.word(statement.first) == "{" ? 1 : 0);
  return is_one_of(source.word(first), {"continue", "return", "break"});
}

Changes drop_guard(const Site& site) {
  Changes changes;
  for (const Statement& statement : site.function.statements) {
    if (statement.kind != Statement::Kind::branch) continue;
    bool has_relation = false;
    for (std::size_t i = statement.head.first; i <= statement.head.last; ++i)
      has_relation = has_relation || is_relation(site.source, i);
    if (!has_relation) continue;
    const std::string always = leaves(site.source, statement.body) ? "false" : "true";
    changes.push_back(
        change_of(site, {replace(site, statement.head, always)}, {statement.all.first, statement.head.last + 1}));
  }
  return changes;
}

}  // namespace

const std::vector<Rule>& rules() {
  static const std::vector<Rule> list = [] {
    std::vector<Rule> all{{"remove a barrier", "barriers", remove_barrier},
                          {"barrier in a branch", "barriers", barrier_in_branch},
                          {"< for <=", "bounds", strict_or_not},
                          {"off by one in a bound", "bounds", off_by_one_bound},
                          {"off by one in an index", "bounds", off_by_one_index},
                          {"drop a guard", "bounds", drop_guard}};
    for (Rule& rule : order_rules()) all.push_back(std::move(rule));
    for (Rule& rule : store_rules()) all.push_back(std::move(rule));
    return all;
  }();
  return list;
}

}  // namespace warpwright::conformance
