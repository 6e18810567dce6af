// Calls a function that makes data, with rand() seeded, so that the same case always gets the same data.
#pragma once

#ifndef __CUDACC__  // for the CPU only

#include <cstdlib>

namespace warpwright::job {

template <auto Function>
struct seeded;
template <class Result, class... Parameters, Result (*Function)(Parameters...)>
struct seeded<Function> {
  static void call(unsigned seed, Parameters... parameters) {
    std::srand(seed);
    Function(parameters...);
  }
};

}  // namespace warpwright::job

#endif
