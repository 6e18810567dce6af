// Information about kernels from a cubin and from the ptxas log.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/model/program.hpp"

namespace warpwright::gpu {

/// What the log says about one kernel.
struct PtxasEntry {
  Resources resources;
  std::string text;  ///< its lines of the log, the same for every compilation
};

/// Kernels by symbol, from the text that `--ptxas-options=-v` adds to the log.
std::map<std::string, PtxasEntry> parse_ptxas_log(std::string_view log);

/// Hash over the machine code, constants and shared size of one kernel of a cubin: independent of the kernel's position
/// in the file. Throws std::runtime_error for a file that is no cubin or lacks the symbol.
std::string code_hash(std::string_view image, std::string_view symbol);

/// The machine code of one kernel of a cubin, within `image`. Throws as above.
std::string_view code_of(std::string_view image, std::string_view symbol);

/// Sizes of the parameters of one kernel of a cubin, in order; empty for a kernel without parameters. Throws as above
/// for a file that is no cubin. Source: the EIATTR_KPARAM_INFO records of its .nv.info section, as cuobjdump -elf shows
/// them.
std::vector<std::size_t> parameter_bytes(std::string_view image, std::string_view symbol);

/// The most threads that a block of the kernel may have, by its __launch_bounds__; 0 if it has none. Throws as above.
/// Source: its EIATTR_MAX_THREADS record.
int most_threads(std::string_view image, std::string_view symbol);

}  // namespace warpwright::gpu
