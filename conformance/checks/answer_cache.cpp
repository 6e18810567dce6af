// Right answers that were computed before, for checks of other configurations on the same problem and input.
#include "conformance/checks/answer_cache.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::conformance {
namespace {

std::size_t bytes_of(const OracleAnswer& answer) {
  std::size_t bytes = 0;
  for (const Bytes& input : answer.inputs) bytes += input.size();
  for (const ExpectedOutput& output : answer.expected)
    bytes += output.values.size() + output.magnitude.size() * sizeof(output.magnitude.front());
  return bytes;
}

}  // namespace

AnswerCache::Answer AnswerCache::held(const std::string& key) {
  const auto found = std::ranges::find(held_, key, &Held::key);
  if (found == held_.end()) return nullptr;
  held_.splice(held_.begin(), held_, found);
  return found->answer;
}

AnswerCache::Answer AnswerCache::answer(const Problem& problem, const Input& input,
                                        const std::function<OracleAnswer()>& compute) {
  std::string key = problem_text(problem) + " " + input_text(input);
  {
    const std::scoped_lock lock(mutex_);
    if (Answer known = held(key)) return known;
  }
  Answer made = std::make_shared<const OracleAnswer>(compute());
  const std::size_t bytes = bytes_of(*made);
  const std::scoped_lock lock(mutex_);
  if (bytes > most_bytes_ || held(key) != nullptr) return made;
  held_.push_front({.key = std::move(key), .bytes = bytes, .answer = made});
  for (bytes_ += bytes; bytes_ > most_bytes_; held_.pop_back()) bytes_ -= held_.back().bytes;
  return made;
}

}  // namespace warpwright::conformance
