// Shared by the patterns that count keys in bins: types, data sets, fills, and how kernels receive the bins.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "kernels/block/binned_keys.cuh"
#include "kernels/block/binning.cuh"
#include "kernels/model/pattern.hpp"
#include "kernels/model/space.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::binned {

/// The number of bins of a problem; each is a 32-bit counter.
inline Number bins() {
  return {.name = "bins", .low = 2, .high = 4096, .preferred = 64, .edges = {256, 2, 33, 255, 4096}};
}

/// Types of keys.
inline std::vector<std::vector<ElementType>> types() {
  return {{ElementType::u8}, {ElementType::u16}, {ElementType::u32}, {ElementType::f32}};
}

/// The data sets for tuning. In all of them every key has a bin.
inline std::vector<InputKind> data() {
  return {{.name = "uniform", .exact = true},
          {.name = "one_value", .exact = true},
          {.name = "zipf", .exact = true},
          {.name = "sorted", .exact = true}};
}

/// The kinds of input for checks. Counting is exact for any keys.
inline std::vector<InputKind> inputs(const Problem&) {
  std::vector<InputKind> kinds;
  for (const char* name : {"exact", "special", "position", "few_values"})
    kinds.push_back({.name = name, .exact = true});
  return kinds;
}

/// Calls use(Key()) with the key type of the problem.
template <class Use>
auto with_key(const Problem& problem, Use use) {
  return with_type_of<unsigned char, unsigned short, unsigned, float>(problem.type(), use);
}

/// How the keys are generated for a problem with the number `bins`.
inline std::vector<Fill> fills(const Problem& problem, const std::string& kind) {
  const auto bins = static_cast<unsigned>(problem.integer("bins"));
  return with_key(problem, [&]<class Key>(Key) -> std::vector<Fill> {
    const auto filled = [&](auto functor) -> std::vector<Fill> {
      const std::string type = "warpwright::binned::" + (kind == "exact" ? "around" : kind) + "<" +
                               std::string(name_of(problem.type())) + ">";
      return {make_fill("kernels/block/binned_keys.cuh", type, functor)};
    };
    if (kind == "uniform") return filled(uniform<Key>{bins});
    if (kind == "one_value") return filled(one_value<Key>{bins});
    if (kind == "zipf") return filled(zipf<Key>{bins});
    if (kind == "sorted") return filled(sorted<Key>{bins});
    if (kind == "exact") return filled(around<Key>{bins});
    return {generic_fill(problem.type(), kind)};
  });
}

/// The bin of a key, for oracles; `bins` or more if it has none.
template <class Key>
std::size_t bin_of(Key key, std::size_t bins) {
  if constexpr (std::is_floating_point_v<Key>) {
    if (!(key >= 0 && key < 1)) return bins;
    const Key scaled = key * static_cast<Key>(bins);
    return static_cast<std::size_t>(std::floor(scaled));
  } else {
    return key;
  }
}

/// Whether every possible key has a bin.
inline bool is_total(const Problem& problem) {
  return problem.type() == ElementType::u8 && problem.integer("bins") >= 256;
}

/// The leading template arguments of counting kernels: the key type, and whether every key has a bin.
inline std::vector<std::string> template_arguments(const Problem& problem) {
  return {std::string(name_of(problem.type())), is_total(problem) ? "true" : "false"};
}

/// The binning struct of device code; its bytes are the same for all key types.
inline ValueArgument binning_of(const Problem& problem) {
  const std::string type = "warpwright::block::binning<" + std::string(name_of(problem.type())) +
                           (is_total(problem) ? ", true>" : ", false>");
  return value_of(type, block::binning<unsigned, false>{static_cast<unsigned>(problem.integer("bins"))});
}

/// Constraints on loads, for all spaces.
template <class P>
SpaceOf<P>& with_rules_of_loads(SpaceOf<P>& space) {
  return space
      .require("at most 16 bytes a load",
               [](const P& p, const Surroundings& around) {
                 return p.vector_width * static_cast<int>(size_of(around.type())) <= 16;
               })
      .require("at most 64 bytes in flight a thread", [](const P& p, const Surroundings& around) {
        return p.loads_in_flight * p.vector_width * static_cast<int>(size_of(around.type())) <= 64;
      });
}

}  // namespace warpwright::binned
