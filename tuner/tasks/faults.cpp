// Words for verdicts, the gravest first.
#include "tuner/tasks/faults.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace warpwright::tuner {
namespace {

/// The gravest first.
constexpr std::array<std::pair<Verdict, std::string_view>, 6> kWords{{{Verdict::failed, "wrong"},
                                                                      {Verdict::crashed, "crashed"},
                                                                      {Verdict::timed_out, "timed out"},
                                                                      {Verdict::not_compiled, "did not compile"},
                                                                      {Verdict::mistrusted, "too fast to be true"},
                                                                      {Verdict::too_slow, "too slow"}}};

}  // namespace

void Faults::add(Verdict verdict) {
  for (const auto& [counted, words] : kWords)
    if (verdict == counted) ++counts_[verdict];
}

void Faults::add(const Faults& other) {
  for (const auto& [verdict, count] : other.counts_) counts_[verdict] += count;
}

int Faults::all() const {
  int sum = 0;
  for (const auto& [verdict, count] : counts_) sum += count;
  return sum;
}

int Faults::wrong() const {
  int sum = 0;
  for (const auto& [verdict, count] : counts_)
    if (is_wrong(verdict)) sum += count;
  return sum;
}

std::string Faults::text() const {
  std::string text;
  for (const auto& [verdict, words] : kWords)
    if (const auto own = counts_.find(verdict); own != counts_.end())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", own->second, words);
  return text;
}

std::string_view Faults::gravest() const {
  for (const auto& [verdict, words] : kWords)
    if (counts_.contains(verdict)) return verdict == Verdict::too_slow ? "" : word_of(verdict);
  return "";
}

}  // namespace warpwright::tuner
