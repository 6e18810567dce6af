// Draws a number with rapidcheck. Only for the files that draw cases, because rapidcheck is slow to compile.
#pragma once

#include <rapidcheck.h>

namespace warpwright::conformance {

/// A number in [0, count), uniformly distributed; shrinks towards 0.
template <class T>
T draw_below(T count) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(0, count));
}

}  // namespace warpwright::conformance
