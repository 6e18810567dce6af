// Right answers that were computed before, for checks of other configurations on the same problem and input.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "conformance/checks/oracle_answer.hpp"
#include "kernels/model/problem.hpp"

namespace warpwright::conformance {

/// Holds the answers that were used last, up to so many bytes. Thread-safe.
class AnswerCache {
 public:
  using Answer = std::shared_ptr<const OracleAnswer>;

  explicit AnswerCache(std::size_t most_bytes = std::size_t{1} << 28) : most_bytes_(most_bytes) {}

  /// The answer for that problem and input. If it is not held, `compute` makes it; what that throws is thrown on.
  Answer answer(const Problem& problem, const Input& input, const std::function<OracleAnswer()>& compute);

 private:
  struct Held {
    std::string key;
    std::size_t bytes = 0;
    Answer answer;
  };
  Answer held(const std::string& key);

  const std::size_t most_bytes_;
  std::mutex mutex_;      ///< guards the members below; not locked while an answer is computed
  std::list<Held> held_;  ///< the last used first
  std::size_t bytes_ = 0;
};

}  // namespace warpwright::conformance
