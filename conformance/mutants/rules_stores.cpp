// Mutation rules about stores and precision.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/mutants/edits.hpp"
#include "conformance/mutants/equivalences.hpp"

namespace warpwright::conformance {
namespace {

bool is_named(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Names of the function's __shared__ variables, and of pointers computed from them.
std::vector<std::string> shared_names(const Site& site) {
  const DeviceSource& source = site.source;
  std::vector<std::string> names;
  for (const Statement& statement : site.function.statements) {
    if (statement.kind != Statement::Kind::simple) continue;
    const auto& all = statement.all;
    bool declares = false, of_shared = false;
    std::size_t assigned = all.last, pointer = all.last;
    for (std::size_t i = all.first; i <= all.last; ++i) {
      const std::string_view word = source.word(i);
      declares = declares || word == "__shared__";
      if (word == "*" && i > all.first) pointer = std::min(pointer, i);
      if (word == "=") assigned = std::min(assigned, i);
      of_shared = of_shared || (i > assigned && is_named(names, word));
    }
    std::size_t end = declares ? all.last : assigned;
    while (declares && source.word(end - 1) == "]") end = source.partner(end - 1);
    if ((declares || (of_shared && pointer < assigned)) && source.is_identifier(end - 1))
      names.emplace_back(source.word(end - 1));
  }
  return names;
}

/// A statement `destination = value;` or `destination += value;` that declares nothing.
struct Store {
  TokenRange statement, destination, value;
  std::string name;  ///< of the array, pointer or shared variable stored to
  bool compound = false;
};

std::vector<Store> stores_of(const Site& site) {
  const DeviceSource& source = site.source;
  const auto shared = shared_names(site);
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
    } else if (source.is_identifier(first) &&
               (source.word(first + 1) == "[" || (first + 1 == at && is_named(shared, source.word(first))))) {
      store.name = source.word(first);
    }
    if (!store.name.empty()) stores.push_back(std::move(store));
  }
  return stores;
}

/// Names of pointers through which the function may write global memory: parameters, and local pointers computed from
/// them.
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
  // Stores the same value a second time, as volatile, so that no compiler removes the store.
  const std::string store =
      fmt::format(" if (blockIdx.x == 0 && threadIdx.x == 0 && threadIdx.y == 0) *(volatile {0}*)({1}) = {1}[0];",
                  input.type, input.name);
  return {{.edits = {after(site, open, store)},
           .at = open,
           .change = fmt::format("{}(...) {{ -> stores into {}", site.function.name, input.name),
           .equivalent = {}}};
}

/// Whether a statement writes memory, by itself or through a call with an output as argument.
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

std::vector<Rule> store_rules() {
  return {{"skip a store to shared memory", "stores", skip_shared_store},
          {"swap the indices of a tile", "stores", swap_tile_indices},
          {"write nothing", "stores", write_nothing},
          {"write the input", "inputs", write_the_input},
          {"change the input", "inputs", change_the_input},
          {"leave the previous output", "stores", previous_output},
          {"one thread too many writes", "stores", one_thread_too_many},
          {"float where double accumulates", "precision", narrow_accumulator}};
}

}  // namespace warpwright::conformance
