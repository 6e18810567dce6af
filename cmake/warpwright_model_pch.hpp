// Precompiled header for all patterns and kernels, with the headers of the model. None of them includes <cmath>, whose
// functions have the names of functions in the simulator's headers.
#pragma once

#include "kernels/model/catalogue.hpp"
#include "kernels/model/kernel.hpp"
#include "kernels/model/pattern.hpp"
