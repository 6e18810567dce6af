// Drawing a number, for the files of drawing only: rapidcheck is slow to compile.
#pragma once

#include <rapidcheck.h>

namespace warpwright::conformance {

/// A number in [0, count), every one as likely, shrinking towards 0.
template <class T>
T draw_below(T count) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(0, count));
}

}  // namespace warpwright::conformance
