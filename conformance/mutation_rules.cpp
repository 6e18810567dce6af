// The rules over device source, each with what it leaves equivalent and why.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/mutation.hpp"
#include "conformance/mutation_equivalences.hpp"

namespace warpwright::conformance {
namespace {

using Changes = std::vector<Change>;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

std::size_t begin_of(const Site& site, std::size_t token) {
  return site.source.tokens()[token].begin;
}
std::size_t end_of(const Site& site, std::size_t token) {
  return site.source.tokens()[token].end;
}

Edit replace(const Site& site, TokenRange range, std::string by) {
  return {begin_of(site, range.first), end_of(site, range.last), std::move(by)};
}
Edit before(const Site& site, std::size_t token, std::string text) {
  return {begin_of(site, token), begin_of(site, token), std::move(text)};
}
Edit after(const Site& site, std::size_t token, std::string text) {
  return {end_of(site, token), end_of(site, token), std::move(text)};
}

/// The text of a range after the edits, on one line.
std::string edited_words(const Site& site, TokenRange range, std::vector<Edit> edits) {
  std::ranges::sort(edits, std::greater{}, &Edit::begin);
  std::string text =
      site.source.text().substr(begin_of(site, range.first), end_of(site, range.last) - begin_of(site, range.first));
  for (const Edit& edit : edits)
    text.replace(edit.begin - begin_of(site, range.first), edit.end - edit.begin, edit.replacement);
  return DeviceSource("", text).words({0, DeviceSource("", text).tokens().size() - 1});
}

/// Edits within `shown`, told as "before -> after".
Change change_of(const Site& site, std::vector<Edit> edits, TokenRange shown) {
  std::string told = site.source.words(shown) + " -> " + edited_words(site, shown, edits);
  return {.edits = std::move(edits), .at = shown.first, .change = std::move(told), .equivalent = {}};
}

Change removal(const Site& site, TokenRange statement) {
  return {.edits = {replace(site, statement, ";")},
          .at = statement.first,
          .change = site.source.words(statement) + " -> (nothing)",
          .equivalent = {}};
}

/// Calls `take(token)` for each token of the body that is not in a static_assert.
template <class Take>
void for_each_token(const Site& site, Take take) {
  for (std::size_t i = site.function.body.first + 1; i < site.function.body.last; ++i) {
    if (site.source.word(i) == "static_assert") i = site.source.partner(i + 1);
    take(i);
  }
}

/// Statements that consist of one call of a function whose name `is_named` accepts; `take(statement, name token)`.
template <class IsNamed, class Take>
void for_each_call_statement(const Site& site, IsNamed is_named, Take take) {
  for (const Statement& statement : site.function.statements)
    if (statement.kind == Statement::Kind::simple && is_named(site.source.word(statement.all.first)))
      take(statement, statement.all.first);
}

/// The parenthesis that opens the arguments of the call of `name`, past template arguments; 0 where there is none.
std::size_t call_open(const DeviceSource& source, std::size_t name) {
  std::size_t at = name + 1;
  if (source.word(at) == "<")
    while (at < source.tokens().size() && !is_one_of(source.word(at), {">", ";", "{"})) ++at;
  if (source.word(at) == ">") ++at;
  return source.word(at) == "(" ? at : 0;
}

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

/// Relational operators; the brackets of templates have no space on both sides.
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

/// What a loop with this relation in its head adds to its variable: "1", or "blockDim.x" of `i += blockDim.x`.
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

/// A subscript: a bracket behind a value, not the extent in a declaration and not the capture of a lambda.
bool is_subscript(const Site& site, std::size_t open) {
  const DeviceSource& source = site.source;
  if (source.word(open) != "[" || open == 0) return false;
  const std::string_view before_it = source.word(open - 1);
  if (is_one_of(before_it, {"]", ")"})) return source.word(source.partner(open) + 1) != "{";
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

// Statements that store

/// `destination = value;` or `destination += value;` where the destination is a place and nothing is declared.
struct Store {
  TokenRange statement, destination, value;
  std::string name;  ///< of the array or pointer
  bool compound = false;
};

std::vector<Store> stores_of(const Site& site) {
  const DeviceSource& source = site.source;
  std::vector<Store> stores;
  for (const Statement& statement : site.function.statements) {
    if (statement.kind != Statement::Kind::simple) continue;
    std::size_t at = statement.all.first;
    while (at < statement.all.last && !is_one_of(source.word(at), {"=", "+=", "-=", "*=", "|=", "&=", "^="})) {
      if (source.partner(at) > at) at = source.partner(at);
      ++at;
    }
    if (at >= statement.all.last) continue;
    Store store{.statement = statement.all,
                .destination = {statement.all.first, at - 1},
                .value = {at + 1, statement.all.last - 1},
                .name = {},
                .compound = source.word(at) != "="};
    const std::size_t first = store.destination.first;
    if (source.word(first) == "*") {
      for (std::size_t i = first; i < at; ++i)
        if (source.is_identifier(i) && (source.word(i + 1) == ")" || source.word(i + 1) == "[" || i + 1 == at)) {
          store.name = source.word(i);
          break;
        }
    } else if (source.is_identifier(first) && source.word(first + 1) == "[") {
      store.name = source.word(first);
    }
    if (!store.name.empty()) stores.push_back(std::move(store));
  }
  return stores;
}

/// Names of the shared arrays that the function declares, and of pointers to dynamic shared memory.
std::vector<std::string> shared_names(const Site& site) {
  const DeviceSource& source = site.source;
  std::vector<std::string> names;
  for (const Statement& statement : site.function.statements) {
    if (statement.kind != Statement::Kind::simple) continue;
    const auto& all = statement.all;
    bool dynamic = false;
    for (std::size_t i = all.first; i <= all.last; ++i) {
      if (source.word(i) == "__shared__" && source.is_identifier(all.last - 1))
        names.emplace_back(source.word(all.last - 1));
      dynamic = dynamic || source.word(i) == "dynamic_shared";
    }
    for (std::size_t i = all.first; dynamic && i < all.last; ++i)
      if (source.word(i) == "=" && source.is_identifier(i - 1)) names.emplace_back(source.word(i - 1));
  }
  return names;
}

bool is_named(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Names of pointers through which the function may write global memory: parameters, and locals made of them.
std::vector<std::string> output_names(const Site& site) {
  std::vector<std::string> names;
  for (const Parameter& parameter : site.function.parameters)
    if (parameter.pointer && !parameter.read_only) names.push_back(parameter.name);
  const DeviceSource& source = site.source;
  for (const Statement& statement : site.function.statements) {
    if (statement.kind != Statement::Kind::simple || source.word(statement.all.first) == "const") continue;
    for (std::size_t i = statement.all.first + 1; i + 2 < statement.all.last; ++i)
      if (source.word(i) == "*" && source.is_identifier(i - 1) && source.is_identifier(i + 1) &&
          source.word(i + 2) == "=") {
        names.emplace_back(source.word(i + 1));
        break;
      }
  }
  return names;
}

Changes skip_shared_store(const Site& site) {
  Changes changes;
  const auto shared = shared_names(site);
  for (const Store& store : stores_of(site))
    if (is_named(shared, store.name)) changes.push_back(removal(site, store.statement));
  return changes;
}

Changes previous_output(const Site& site) {
  Changes changes;
  const DeviceSource& source = site.source;
  const auto outputs = output_names(site);
  for (const Store& store : stores_of(site))
    if (is_named(outputs, store.name) && !store.compound)
      changes.push_back(
          change_of(site, {replace(site, store.value, source.words(store.destination))}, store.statement));
  for_each_call_statement(
      site, [](std::string_view word) { return word == "store_vector"; },
      [&](const Statement& statement, std::size_t name) {
        const auto arguments = source.arguments(call_open(source, name));
        const std::string to = source.words(arguments.at(0));
        Change change{.edits = {replace(site, statement.all,
                                        fmt::format("{{ auto held_before = {0}; for (int i_before = 0; i_before < "
                                                    "int(sizeof(held_before) / sizeof(held_before[0])); ++i_before) "
                                                    "held_before[i_before] = ({1})[i_before]; "
                                                    "store_vector({1}, held_before); }}",
                                                    source.words(arguments.at(1)), to))},
                      .at = name,
                      .change = fmt::format("{} -> stores what is there already", source.words(statement.all)),
                      .equivalent = {}};
        changes.push_back(std::move(change));
      });
  return changes;
}

Changes write_the_input(const Site& site) {
  Changes changes;
  if (site.inputs.empty()) return changes;
  const DeviceSource& source = site.source;
  std::vector<std::string> outputs;
  for (const Parameter& parameter : site.function.parameters)
    if (parameter.pointer && !parameter.read_only) outputs.push_back(parameter.name);
  for (const Store& store : stores_of(site)) {
    const std::size_t first = store.destination.first;
    const std::size_t name = source.word(first) == "*" ? first + 1 : first;
    if (store.compound || !is_named(outputs, source.word(name))) continue;
    std::vector<Edit> of_destination{replace(site, {name, name}, site.inputs.front().name)};
    const std::string input = edited_words(site, store.destination, of_destination);
    if (input != source.words(store.value))
      changes.push_back(change_of(site, {replace(site, store.value, input)}, store.statement));
  }
  return changes;
}

Changes write_nothing(const Site& site) {
  if (!site.function.is_kernel) return {};
  const std::size_t open = site.function.body.first;
  return {{.edits = {after(site, open, " return;")},
           .at = open,
           .change = site.function.name + "(...) { -> { return;",
           .equivalent = {}}};
}

Changes change_the_input(const Site& site) {
  if (!site.function.is_kernel || site.inputs.empty()) return {};
  const std::size_t open = site.function.body.first;
  const Parameter& input = site.inputs.front();
  // The same value; volatile, so that no compiler leaves it out.
  const std::string store =
      fmt::format(" if (blockIdx.x == 0 && threadIdx.x == 0 && threadIdx.y == 0) *(volatile {0}*)({1}) = {1}[0];",
                  input.type, input.name);
  return {{.edits = {after(site, open, store)},
           .at = open,
           .change = fmt::format("{}(...) {{ -> stores into {}", site.function.name, input.name),
           .equivalent = {}}};
}

/// Whether a statement writes memory: a place, or through a call that is given an output.
bool writes_memory(const Site& site, TokenRange statement) {
  for (const Store& store : stores_of(site))
    if (statement.contains(store.statement.first)) return true;
  const auto outputs = output_names(site);
  for (std::size_t i = statement.first; i <= statement.last; ++i)
    if (is_named(outputs, site.source.word(i)) && is_one_of(site.source.word(i - 1), {"(", ","})) return true;
  return false;
}

Changes one_thread_too_many(const Site& site) {
  Changes changes;
  const DeviceSource& source = site.source;
  for (const Statement& statement : site.function.statements) {
    if (statement.kind != Statement::Kind::branch || !writes_memory(site, statement.body)) continue;
    for (std::size_t i = statement.head.first; i < statement.head.last; ++i)
      if (source.word(i) == "==" && source.word(i + 1) == "0")
        changes.push_back(
            change_of(site, {replace(site, {i, i + 1}, "<= 1")}, {statement.all.first, statement.head.last + 1}));
  }
  return changes;
}

Changes swap_tile_indices(const Site& site) {
  Changes changes;
  const DeviceSource& source = site.source;
  const auto shared = shared_names(site);
  for_each_token(site, [&](std::size_t i) {
    if (!is_named(shared, source.word(i)) || source.word(i + 1) != "[") return;
    const std::size_t second = source.partner(i + 1) + 1;
    if (source.word(second) != "[") return;
    const TokenRange a{i + 2, source.partner(i + 1) - 1};
    const TokenRange b{second + 1, source.partner(second) - 1};
    if (source.words(a) == source.words(b)) return;
    changes.push_back(change_of(site, {replace(site, a, source.words(b)), replace(site, b, source.words(a))},
                                {i, source.partner(second)}));
  });
  return changes;
}

// Atomics and order

/// What a plain thread would do instead of an atomic operation on *place.
std::string plain_update(std::string_view atomic, const std::vector<std::string>& arguments) {
  const auto with = [&](const std::string& update) {
    return fmt::format("[&] {{ auto* place = {}; const auto before = *place; {} return before; }}()", arguments.at(0),
                       update);
  };
  if (atomic == "atomicAdd") return with(fmt::format("*place = before + ({});", arguments.at(1)));
  if (atomic == "atomicSub") return with(fmt::format("*place = before - ({});", arguments.at(1)));
  if (atomic == "atomicMin") return with(fmt::format("if ({0} < before) *place = {0};", arguments.at(1)));
  if (atomic == "atomicMax") return with(fmt::format("if (before < {0}) *place = {0};", arguments.at(1)));
  if (atomic == "atomicAnd") return with(fmt::format("*place = before & ({});", arguments.at(1)));
  if (atomic == "atomicOr") return with(fmt::format("*place = before | ({});", arguments.at(1)));
  if (atomic == "atomicXor") return with(fmt::format("*place = before ^ ({});", arguments.at(1)));
  if (atomic == "atomicExch") return with(fmt::format("*place = {};", arguments.at(1)));
  if (atomic == "atomicInc") return with(fmt::format("*place = before >= ({}) ? 0 : before + 1;", arguments.at(1)));
  if (atomic == "atomicDec")
    return with(fmt::format("*place = before == 0 || before > ({0}) ? ({0}) : before - 1;", arguments.at(1)));
  return with(fmt::format("if (before == ({})) *place = {};", arguments.at(1), arguments.at(2)));
}

Changes drop_atomic(const Site& site) {
  Changes changes;
  const DeviceSource& source = site.source;
  for_each_token(site, [&](std::size_t i) {
    const std::string_view word = source.word(i);
    if (!is_one_of(word, {"atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor",
                          "atomicExch", "atomicInc", "atomicDec", "atomicCAS"}))
      return;
    const std::size_t open = call_open(source, i);
    if (open == 0) return;
    std::vector<std::string> arguments;
    for (const TokenRange argument : source.arguments(open)) arguments.push_back(source.words(argument));
    const TokenRange call{i, source.partner(open)};
    changes.push_back({.edits = {replace(site, call, plain_update(word, arguments))},
                       .at = i,
                       .change = source.words(call) + " -> plain read, change and write",
                       .equivalent = {}});
  });
  return changes;
}

Changes drop_fence(const Site& site) {
  Changes changes;
  for_each_call_statement(
      site,
      [](std::string_view word) {
        return is_one_of(word, {"__threadfence", "__threadfence_block", "__threadfence_system"});
      },
      [&](const Statement& statement, std::size_t) { changes.push_back(removal(site, statement.all)); });
  for_each_token(site, [&](std::size_t i) {
    const std::string_view word = site.source.word(i);
    if (word != "store_release" && word != "load_acquire") return;
    const std::size_t open = call_open(site.source, i);
    if (open == 0) return;
    const char* const weaker = word == "store_release" ? "store_relaxed" : "load_relaxed";
    changes.push_back(change_of(site, {replace(site, {i, i}, weaker)}, {i, site.source.partner(open)}));
  });
  return changes;
}

Changes drop_async_wait(const Site& site) {
  Changes changes;
  for_each_call_statement(
      site, [](std::string_view word) { return word == "async_wait"; },
      [&](const Statement& statement, std::size_t) { changes.push_back(removal(site, statement.all)); });
  return changes;
}

// Warp operations

bool is_shuffle(std::string_view word) {
  return is_one_of(word, {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"});
}

Changes wrong_mask(const Site& site) {
  Changes changes;
  const DeviceSource& source = site.source;
  for_each_token(site, [&](std::size_t i) {
    const std::string_view word = source.word(i);
    if (!is_shuffle(word) &&
        !is_one_of(word, {"__ballot_sync", "__any_sync", "__all_sync", "__match_any_sync", "__syncwarp"}))
      return;
    const std::size_t open = call_open(source, i);
    if (open == 0) return;
    const auto arguments = source.arguments(open);
    if (arguments.empty()) return;
    const TokenRange mask = arguments.front();
    changes.push_back(change_of(site, {before(site, mask.first, "("), after(site, mask.last, ") & 0xffffU")},
                                {i, source.partner(open)}));
  });
  return changes;
}

Changes wrong_delta(const Site& site) {
  Changes changes;
  const DeviceSource& source = site.source;
  for_each_token(site, [&](std::size_t i) {
    if (!is_shuffle(source.word(i))) return;
    const std::size_t open = call_open(source, i);
    if (open == 0) return;
    const auto arguments = source.arguments(open);
    if (arguments.size() < 3) return;
    changes.push_back(change_of(site, {after(site, arguments[2].last, " + 1")}, {i, source.partner(open)}));
  });
  return changes;
}

Changes wrong_width(const Site& site) {
  Changes changes;
  const DeviceSource& source = site.source;
  for_each_token(site, [&](std::size_t i) {
    if (!is_shuffle(source.word(i))) return;
    const std::size_t open = call_open(source, i);
    if (open == 0) return;
    const auto arguments = source.arguments(open);
    if (arguments.size() < 3) return;
    const TokenRange call{i, source.partner(open)};
    if (arguments.size() == 3) {
      changes.push_back(change_of(site, {after(site, arguments[2].last, ", 16")}, call));
    } else {
      changes.push_back(
          change_of(site, {before(site, arguments[3].first, "("), after(site, arguments[3].last, ") / 2")}, call));
    }
  });
  return changes;
}

// Precision

/// Whether `name` is declared in the function with a type of its template, `double` or `auto`.
bool holds_elements(const Site& site, std::string_view name) {
  const DeviceSource& source = site.source;
  for (std::size_t i = site.function.head.first + 1; i <= site.function.body.last; ++i) {
    if (source.word(i) != name || !source.is_identifier(i - 1)) continue;
    const std::string_view type = source.word(i - 1);
    if (type == "double" || is_named(site.function.type_names, type)) return true;
  }
  return false;
}

Changes narrow_accumulator(const Site& site) {
  Changes changes;
  const DeviceSource& source = site.source;
  for (const Statement& statement : site.function.statements) {
    if (statement.kind != Statement::Kind::simple) continue;
    const std::size_t first = statement.all.first;
    const std::size_t last = statement.all.last;
    if (source.word(first) == "return" && site.function.returned == "double") {
      const bool combines = std::ranges::any_of(site.function.parameters, [&](const Parameter& parameter) {
        for (std::size_t i = first + 1; i < last; ++i)
          if (source.word(i) == parameter.name) return true;
        return false;
      });
      if (!combines) continue;
      changes.push_back(
          change_of(site, {before(site, first + 1, "static_cast<float>("), after(site, last - 1, ")")}, statement.all));
      continue;
    }
    if (!source.is_identifier(first) || !holds_elements(site, source.word(first))) continue;
    if (source.word(first + 1) == "+=") {
      changes.push_back(change_of(
          site,
          {replace(site, {first + 1, first + 1}, fmt::format("= static_cast<float>({} + ", source.word(first))),
           after(site, last - 1, ")")},
          statement.all));
    } else if (source.word(first + 1) == "=") {
      bool accumulates = false;
      for (std::size_t i = first + 2; i < last; ++i)
        accumulates = accumulates || (source.word(i) == source.word(first) && source.is_identifier(i));
      if (accumulates)
        changes.push_back(change_of(site, {before(site, first + 2, "static_cast<float>("), after(site, last - 1, ")")},
                                    statement.all));
    }
  }
  return changes;
}

}  // namespace

const std::vector<Rule>& rules() {
  static const std::vector<Rule> list{
      {"remove a barrier", remove_barrier},
      {"barrier in a branch", barrier_in_branch},
      {"< for <=", strict_or_not},
      {"off by one in a bound", off_by_one_bound},
      {"off by one in an index", off_by_one_index},
      {"drop a guard", drop_guard},
      {"drop an atomic", drop_atomic},
      {"drop a fence", drop_fence},
      {"wrong mask", wrong_mask},
      {"wrong delta", wrong_delta},
      {"wrong width", wrong_width},
      {"skip a store to shared memory", skip_shared_store},
      {"swap the indices of a tile", swap_tile_indices},
      {"write nothing", write_nothing},
      {"write the input", write_the_input},
      {"change the input", change_the_input},
      {"leave the previous output", previous_output},
      {"float where double accumulates", narrow_accumulator},
      {"one thread too many writes", one_thread_too_many},
      {"remove an asynchronous wait", drop_async_wait},
  };
  return list;
}

}  // namespace warpwright::conformance
