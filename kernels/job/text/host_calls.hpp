// What calls in host code say about a launch: sizes of allocations, properties of the device, arguments of callers.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/job/text/items.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

/// Stands for a value that is known only at run time, such as an occupancy, or a sum in a loop.
inline constexpr const char* kUnknown = "???";

/// A property of the device that expressions of a job can name.
struct DeviceProperty {
  std::string_view name;       ///< in a job
  std::string_view attribute;  ///< for cudaDeviceGetAttribute
  std::string_view member;     ///< of cudaDeviceProp
};

inline constexpr std::array<DeviceProperty, 3> device_properties{
    {{"sm_count", "cudaDevAttrMultiProcessorCount", "multiProcessorCount"},
     {"max_threads_per_sm", "cudaDevAttrMaxThreadsPerMultiProcessor", "maxThreadsPerMultiProcessor"},
     {"shared_per_block", "cudaDevAttrMaxSharedMemoryPerBlockOptin", "sharedMemPerBlockOptin"}}};

/// Reads calls of CUDA's functions in the tokens [first, last) of a function. Adds to `locals` what they store: a pitch
/// has the width that was asked for, and the number of multiprocessors is "sm_count". Returns the number of bytes
/// allocated for each pointer, as in the source: {"d_in", "n*sizeof(float)"}.
std::map<std::string, std::string> allocations_in(const Tokens& tokens, std::size_t first, std::size_t last,
                                                  std::map<std::string, std::string>& locals);

/// The values that the first caller of a function passes for its parameters and template parameters, where these are
/// literals or have the values of literals: {"eps", "1e-5f"}, {"BLOCK", "256"}, {"T", "float"}. The arguments of a
/// caller may be its own parameters.
std::map<std::string, std::string> passed_by_callers(const Tokens& tokens, const Items& found, const Item& function,
                                                     int depth = 0);

/// The bytes that the first caller of a function, or a caller of that, allocates for its pointers, with the names of
/// its parameters: {"x", "n*sizeof(float)"}.
std::map<std::string, std::string> allocated_by_callers(const Tokens& tokens, const Items& found, const Item& function,
                                                        int depth = 0);

/// The last value that the tokens [first, last) of a function give to each variable: `int blocks = n / 256`, `dim3
/// block(32, 8)` as "dim3(32,8)", `Params p{n}` as "{n}", `grid.x = 4` under the name "grid.x", `std::vector<int> a(n)`
/// as {"a.size", "n"}.
std::map<std::string, std::string> locals_of(const Tokens& tokens, std::size_t first, std::size_t last);

/// The end of an initialiser: a comma, a semicolon, or the bracket around it.
std::size_t end_of_value(const Tokens& tokens, std::size_t at, std::size_t last);

/// The spelling without casts to pointers and without the '&'.
std::string pointed_to(const Tokens& tokens, std::size_t first, std::size_t last);

/// The spellings of a list's elements.
std::vector<std::string> spelt_list(const Tokens& tokens, std::size_t first, std::size_t last, bool angles);

}  // namespace warpwright::job
