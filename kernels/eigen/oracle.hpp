// Eigenvalues computed on the CPU, with which decompositions are compared.
#pragma once

#include <vector>

#include "kernels/model/pattern.hpp"

namespace warpwright::eigen {

/// For each matrix of a batch, in the layout of a problem's buffer: its eigenvalues in ascending order, and its
/// Frobenius norm. Errors are at most 2^-56 of that norm; integer eigenvalues are exact.
struct Spectra {
  std::vector<double> values;  ///< `order` for each matrix
  std::vector<double> sizes;   ///< the Frobenius norm of each matrix
};
Spectra spectra(const Problem& problem, const Bytes& matrices);

/// The expected observation of values and vectors.
Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs);

/// The largest error allowed in the observation of a kernel's results.
Bound bound(const Problem& problem, const std::string& output, const InputKind& input, double depth);

}  // namespace warpwright::eigen
