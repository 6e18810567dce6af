// For problems of floats or doubles: numbers as kernel arguments, and buffers as doubles.
#pragma once

#include <vector>

#include "kernels/model/elements.hpp"
#include "kernels/model/problem.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright {

/// A number as an argument of the problem's type.
inline ValueArgument real(const Problem& problem, double number) {
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) { return value(static_cast<T>(number)); });
}

/// The elements of a buffer of the problem's type.
inline std::vector<double> doubles_of(const Problem& problem, const Bytes& bytes) {
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    const std::vector<T> elements = elements_of<T>(bytes);
    return std::vector<double>(elements.begin(), elements.end());
  });
}

/// The same buffer with all signs changed.
inline Bytes negated(const Problem& problem, const Bytes& bytes) {
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    std::vector<T> elements = elements_of<T>(bytes);
    for (T& element : elements) element = -element;
    return bytes_of(elements);
  });
}

}  // namespace warpwright
