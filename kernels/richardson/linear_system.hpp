// A linear system for oracle and laws: the inputs of a problem as rows of entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/model/elements.hpp"
#include "kernels/richardson/problems.hpp"

namespace warpwright::richardson {

template <class T>
struct LinearSystem {
  std::int64_t rows;
  std::vector<long long> starts;
  std::vector<int> columns;  ///< empty for a dense matrix
  std::vector<T> a, f, start;

  LinearSystem(const Problem& problem, const std::vector<Bytes>& inputs) : rows(problem.shape[0]) {
    std::size_t next = 0;
    if (is_sparse(problem)) {
      starts = elements_of<long long>(inputs.at(next++));
      columns = elements_of<int>(inputs.at(next++));
    }
    a = elements_of<T>(inputs.at(next++));
    f = elements_of<T>(inputs.at(next++));
    start = elements_of<T>(inputs.at(next));
  }

  /// Calls use(column, value) for every entry of the row.
  template <class Use>
  void for_entries(std::int64_t row, Use use) const {
    const auto at = static_cast<std::size_t>(row);
    if (starts.empty()) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(rows); ++k)
        use(k, a[at * static_cast<std::size_t>(rows) + k]);
      return;
    }
    for (auto entry = static_cast<std::size_t>(starts[at]); entry < static_cast<std::size_t>(starts[at + 1]); ++entry)
      use(static_cast<std::size_t>(columns[entry]), a[entry]);
  }

  /// Converts back to the input buffers.
  std::vector<Bytes> inputs() const {
    std::vector<Bytes> made;
    if (!starts.empty()) made = {bytes_of(starts), bytes_of(columns)};
    for (const std::vector<T>* one : {&a, &f, &start}) made.push_back(bytes_of(*one));
    return made;
  }
};

}  // namespace warpwright::richardson
