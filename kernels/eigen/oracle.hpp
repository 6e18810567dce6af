// Eigenvalues on the CPU: what decompositions are held against.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::eigen {

/// The eigenvalues, ascending, of each of a batch of matrices as a problem's buffer has them, and the roots of the sums
/// of the squares of their entries. Numbers are off by 2^-56 of that root at most; where eigenvalues are integers they
/// are right.
struct Spectra {
  std::vector<double> values;  ///< `order` for each matrix
  std::vector<double> sizes;   ///< one for each matrix
};
Spectra spectra(const Problem& problem, const Bytes& matrices);

/// Of what the observation makes of values and vectors.
Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs);

/// The largest error that what is observed of a kernel may have.
Bound bound(const Problem& problem, const std::string& output, const InputKind& input, double depth);

}  // namespace warpwright::eigen
