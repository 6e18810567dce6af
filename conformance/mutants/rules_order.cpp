// Mutation rules about atomics, fences, waits and warp operations.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/mutants/edits.hpp"
#include "conformance/mutants/equivalences.hpp"

namespace warpwright::conformance {
namespace {

/// The non-atomic equivalent of an atomic operation on *place.
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

bool is_atomic(std::string_view word) {
  return is_one_of(word, {"atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor",
                          "atomicExch", "atomicInc", "atomicDec", "atomicCAS"});
}

Changes drop_atomic(const Site& site) {
  Changes changes;
  const DeviceSource& source = site.source;
  for_each_token(site, [&](std::size_t i) {
    const std::string_view word = source.word(i);
    if (!is_atomic(word)) return;
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

bool is_fence(std::string_view word) {
  return is_one_of(word, {"__threadfence", "__threadfence_block", "__threadfence_system"});
}

Changes drop_fence(const Site& site) {
  Changes changes;
  const auto is_any_fence = [](std::string_view word) { return is_fence(word) || word == "products_fence"; };
  for_each_call_statement(site, is_any_fence, [&](const Statement& statement, std::size_t) {
    changes.push_back(removal(site, statement.all));
  });
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

Changes narrow_fence(const Site& site) {
  Changes changes;
  for_each_call_statement(
      site, [](std::string_view word) { return is_fence(word) && word != "__threadfence_block"; },
      [&](const Statement& statement, std::size_t name) {
        changes.push_back(change_of(site, {replace(site, {name, name}, "__threadfence_block")}, statement.all));
      });
  return changes;
}

/// Moves a fence behind the next statement, where it is too late, for instance behind the store of a flag.
Changes fence_behind_next(const Site& site) {
  Changes changes;
  const auto& statements = site.function.statements;
  for_each_call_statement(site, is_fence, [&](const Statement& fence, std::size_t) {
    const auto next = std::ranges::find_if(
        statements, [&](const Statement& statement) { return statement.all.first == fence.all.last + 1; });
    if (next == statements.end() || next->kind != Statement::Kind::simple) return;
    const std::string late = site.source.words(fence.all);
    changes.push_back({.edits = {replace(site, fence.all, ";"), after(site, next->all.last, " " + late)},
                       .at = fence.all.first,
                       .change = fmt::format("{0} {1} -> {1} {0}", late, site.source.words(next->all)),
                       .equivalent = {}});
  });
  return changes;
}

/// Narrows the scope of atomics on memory passed to the function. Declared __shared__ memory needs no wider scope.
Changes narrow_atomic(const Site& site) {
  Changes changes;
  const DeviceSource& source = site.source;
  for_each_token(site, [&](std::size_t i) {
    if (!is_atomic(source.word(i))) return;
    const std::size_t open = call_open(source, i);
    if (open == 0) return;
    const TokenRange place = source.arguments(open).front();
    std::size_t root = place.first;
    while (root < place.last && !source.is_identifier(root)) ++root;
    const bool is_given = std::ranges::any_of(site.function.parameters, [&](const Parameter& parameter) {
      return parameter.pointer && parameter.name == source.word(root);
    });
    if (!is_given) return;
    changes.push_back(change_of(site, {after(site, i, "_block")}, {i, source.partner(open)}));
  });
  return changes;
}

/// Removes a barrier that is a function call, such as that of a tile or of the grid.
Changes remove_helper_barrier(const Site& site) {
  Changes changes;
  const DeviceSource& source = site.source;
  for (const Statement& statement : site.function.statements) {
    if (statement.kind != Statement::Kind::simple) continue;
    std::size_t name = statement.all.first;
    while (is_one_of(source.word(name + 1), {"::", ".", "->"}) && name + 2 < statement.all.last) name += 2;
    if (!source.word(name).starts_with("sync") || call_open(source, name) == 0) continue;
    changes.push_back(removal(site, statement.all));
  }
  return changes;
}

bool is_async_wait(std::string_view word) {
  return is_one_of(word, {"async_wait", "phase_wait", "products_wait", "bulk_wait", "bulk_wait_reads"});
}

Changes drop_async_wait(const Site& site) {
  Changes changes;
  for_each_call_statement(site, is_async_wait, [&](const Statement& statement, std::size_t) {
    changes.push_back(removal(site, statement.all));
  });
  return changes;
}

/// Waits for one group of copies fewer, or for the phase that already completed.
Changes wait_for_less(const Site& site) {
  Changes changes;
  const DeviceSource& source = site.source;
  for_each_call_statement(site, is_async_wait, [&](const Statement& statement, std::size_t name) {
    const std::size_t open = call_open(source, name);
    if (open == 0) return;
    TokenRange range{name + 2, open - 2};
    std::string by = fmt::format("({}) + 1", source.words(range));
    if (source.word(name) == "phase_wait") {
      range = source.arguments(open).at(1);
      by = fmt::format("({}) ^ 1", source.words(range));
    }
    changes.push_back(change_of(site, {replace(site, range, by)}, statement.all));
  });
  return changes;
}

Changes expect_no_bytes(const Site& site) {
  Changes changes;
  const DeviceSource& source = site.source;
  for_each_call_statement(
      site, [](std::string_view word) { return word == "phase_arrive_expect"; },
      [&](const Statement& statement, std::size_t name) {
        const TokenRange bytes = source.arguments(call_open(source, name)).at(1);
        changes.push_back(change_of(site, {replace(site, bytes, "0")}, statement.all));
      });
  return changes;
}

/// The rows of an operand in shared memory lie as if they were half, or twice, as long.
Changes wrong_swizzle(const Site& site) {
  Changes changes;
  for_each_token(site, [&](std::size_t i) {
    const std::string_view word = site.source.word(i);
    if (word != "bytes_32" && word != "bytes_64" && word != "bytes_128") return;
    changes.push_back(change_of(site, {replace(site, {i, i}, word == "bytes_64" ? "bytes_32" : "bytes_64")}, {i, i}));
  });
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

/// Calls `take` with the arguments and tokens of every shuffle that names a lane or a distance.
template <class Take>
void for_each_shuffle(const Site& site, Take take) {
  const DeviceSource& source = site.source;
  for_each_token(site, [&](std::size_t i) {
    if (!is_shuffle(source.word(i))) return;
    const std::size_t open = call_open(source, i);
    if (open == 0) return;
    const auto arguments = source.arguments(open);
    if (arguments.size() >= 3) take(arguments, {i, source.partner(open)});
  });
}

Changes wrong_delta(const Site& site) {
  Changes changes;
  for_each_shuffle(site, [&](const std::vector<TokenRange>& arguments, TokenRange call) {
    changes.push_back(change_of(site, {after(site, arguments[2].last, " + 1")}, call));
  });
  return changes;
}

Changes wrong_width(const Site& site) {
  Changes changes;
  for_each_shuffle(site, [&](const std::vector<TokenRange>& arguments, TokenRange call) {
    if (arguments.size() == 3) {
      changes.push_back(change_of(site, {after(site, arguments[2].last, ", 16")}, call));
    } else {
      changes.push_back(
          change_of(site, {before(site, arguments[3].first, "("), after(site, arguments[3].last, ") / 2")}, call));
    }
  });
  return changes;
}

}  // namespace

std::vector<Rule> order_rules() {
  return {{"drop an atomic", "atomics", drop_atomic},
          {"narrow an atomic", "atomics", narrow_atomic},
          {"drop a fence", "order", drop_fence},
          {"narrow a fence", "order", narrow_fence},
          {"fence behind the next statement", "order", fence_behind_next},
          {"remove a helper's barrier", "barriers", remove_helper_barrier},
          {"remove an asynchronous wait", "order", drop_async_wait},
          {"wait for less", "order", wait_for_less},
          {"expect no bytes", "order", expect_no_bytes},
          {"wrong swizzle", "bounds", wrong_swizzle},
          {"wrong mask", "warps", wrong_mask},
          {"wrong delta", "warps", wrong_delta},
          {"wrong width", "warps", wrong_width}};
}

}  // namespace warpwright::conformance
