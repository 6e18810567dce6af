// Selects the mutants to run for a commit and for a nightly run.
#include "conformance/mutants/tiers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <stdexcept>

#include "kernels/core/hash.hpp"

namespace warpwright::conformance {
namespace {

std::vector<Mutant> picked(const std::vector<Mutant>& mutants, const std::set<std::size_t>& indices) {
  std::vector<Mutant> chosen;
  for (const std::size_t index : indices) chosen.push_back(mutants[index]);
  return chosen;
}

/// The fields by which the store identifies a mutant.
std::string identity_of(const std::string& kernel, const std::string& rule, const std::string& file, std::int64_t line,
                        const std::string& change) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", kernel, rule, file, line, change);
}

/// A number that depends only on the text.
std::size_t drawn_from(const std::string& text) {
  constexpr std::size_t kDigits = 8;
  return std::stoul(hash_text(text).substr(0, kDigits), nullptr, 16);
}

}  // namespace

const std::vector<std::string>& mutant_tier_names() {
  static const std::vector<std::string> names{"all", "commit", "nightly"};
  return names;
}

MutantTier mutant_tier_named(std::string_view name) {
  const auto& names = mutant_tier_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw std::invalid_argument(fmt::format("no tier '{}'; there are: {}", name, fmt::join(names, ", ")));
  return static_cast<MutantTier>(found - names.begin());
}

std::vector<std::vector<Mutant>> mutant_families(const std::vector<Mutant>& mutants) {
  std::map<std::string, std::map<std::string, std::vector<Mutant>>> kernels;
  for (const Mutant& mutant : mutants)
    if (mutant.mutation.equivalent.empty())
      kernels[mutant.kernel->full_name()][mutant.mutation.family].push_back(mutant);
  std::vector<std::vector<Mutant>> list;
  for (auto& [kernel, families] : kernels) {
    std::map<std::pair<std::size_t, std::string>, std::vector<Mutant>> drawn;
    for (auto& [name, family] : families) {
      std::ranges::stable_sort(family, {}, [](const Mutant& mutant) {
        const Mutation& one = mutant.mutation;
        return std::pair(one.file != mutant.kernel->source,
                         drawn_from(identity_of(mutant.kernel->full_name(), one.rule, one.file, 0, one.change)));
      });
      drawn[{drawn_from(kernel + name), name}] = std::move(family);
    }
    while (drawn.size() > kFamiliesOfKernel) drawn.erase(std::prev(drawn.end()));
    for (auto& [place, family] : drawn) list.push_back(std::move(family));
  }
  return list;
}

Night mutants_of_night(const std::vector<Mutant>& mutants, const std::vector<db::Mutant>& known,
                       const std::string& tool, std::size_t nights) {
  std::map<std::string, const db::Mutant*> last_runs;
  for (const db::Mutant& row : known)
    if (row.tool == tool) last_runs[identity_of(row.kernel, row.rule, row.file, row.line, row.change)] = &row;

  struct Candidate {
    std::string last_run;  ///< empty: never
    std::size_t drawn;
    std::size_t index;
    bool survived;
    auto operator<=>(const Candidate&) const = default;
  };
  Night night;
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const Mutation& mutation = mutants[i].mutation;
    const std::string identity =
        identity_of(mutants[i].kernel->full_name(), mutation.rule, mutation.file, mutation.line, mutation.change);
    const auto last = last_runs.find(identity);
    const bool is_new = last == last_runs.end();
    night.seen += is_new ? 0 : 1;
    candidates.push_back({.last_run = is_new ? "" : last->second->updated_at,
                          .drawn = drawn_from(identity),
                          .index = i,
                          .survived = !is_new && last->second->outcome == "survived"});
  }
  std::ranges::sort(candidates);
  const std::size_t share = std::min((mutants.size() + nights - 1) / nights, candidates.size());
  // Takes all survivors first, then the mutants of this run's share that did not survive.
  const auto take = [&](const Candidate& candidate) {
    night.mutants.push_back(mutants[candidate.index]);
    night.is_new.push_back(candidate.last_run.empty());
  };
  for (const Candidate& candidate : candidates)
    if (candidate.survived) take(candidate);
  for (const Candidate& candidate : std::span(candidates).first(share))
    if (!candidate.survived) take(candidate);
  return night;
}

std::vector<Mutant> sample_mutants(const std::vector<Mutant>& mutants, std::size_t limit) {
  // Takes one mutant of every kernel and rule per round.
  std::map<std::pair<std::string, std::string>, std::size_t> taken;
  std::vector<std::pair<std::size_t, std::size_t>> order;
  for (std::size_t i = 0; i < mutants.size(); ++i)
    if (mutants[i].mutation.equivalent.empty())
      order.emplace_back(taken[{mutants[i].kernel->full_name(), mutants[i].mutation.rule}]++, i);
  std::ranges::sort(order);
  if (order.size() > limit) order.resize(limit);
  std::set<std::size_t> chosen;
  for (const auto& [round, index] : order) chosen.insert(index);
  return picked(mutants, chosen);
}

}  // namespace warpwright::conformance
