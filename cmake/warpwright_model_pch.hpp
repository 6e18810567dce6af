// The headers of the model, compiled once for all patterns and kernels. None that brings <cmath>: the device model's
// functions have the names of those.
#pragma once

#include "kernels/model/catalogue.hpp"
#include "kernels/model/kernel.hpp"
#include "kernels/model/pattern.hpp"
