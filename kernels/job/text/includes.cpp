// Replaces includes of headers of the user's project by the headers themselves.
#include "kernels/job/text/includes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include "kernels/job/text/conditions.hpp"
#include "kernels/job/text/macro_kernels.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 64;

/// CUDA's headers for device code with names that the compilers do not know by themselves.
constexpr std::array device_headers = {
    "cooperative_groups.h",       "math_constants.h",           "mma.h",  "cuda_pipeline.h",
    "cuda_awbarrier.h",           "cuda_pipeline_primitives.h", "cuda.h", "curand_kernel.h",
    "cuda_awbarrier_primitives.h"};
constexpr std::array device_beginnings = {"cooperative_groups/", "cuda/", "cub/", "nv/", "cuda_fp", "cuda_bf"};
/// Put around these headers. Many include libcu++, which for NVRTC defines limits, INFINITY and NAN again, with warning
/// 47. That is not an error of the user's source.
constexpr std::string_view quiet_begins = "#pragma nv_diag_suppress 47\n", quiet_ends = "#pragma nv_diag_default 47\n";

/// CUDA headers whose names the compilers know by themselves, and headers of CUDA's libraries for the host.
constexpr std::array host_beginnings = {"cuda_runtime",   "cuda_profiler", "cuda_gl",  "cudaProfiler", "cudnn",
                                        "cublas",         "cusolver",      "cusparse", "cufft",        "curand",
                                        "nvToolsExt",     "nvtx3",         "nccl",     "npp",          "thrust/",
                                        "device_launch_", "device_funct",  "driver_",  "vector_",      "builtin_types",
                                        "cuda_texture_",  "cuda_surface_", "texture_", "surface_",     "crt/",
                                        "device_atomic_", "math_func",     "sm_",      "host_defines", "cutlass",
                                        "helper_",        "nvrtc",         "GL/",      "mpi.h",        "omp.h"};

/// Of these, headers that also have device code.
constexpr std::array with_device_code = {"cutlass", "helper_math"};

/// Headers of the C library, which some people include in quotes.
constexpr std::array c_headers = {"assert.h", "ctype.h",   "errno.h",  "float.h",   "inttypes.h", "limits.h",
                                  "math.h",   "stdbool.h", "stddef.h", "stdint.h",  "stdio.h",    "stdlib.h",
                                  "string.h", "time.h",    "unistd.h", "sys/time.h"};
/// Headers of libraries for the host that include the half-precision types.
constexpr std::array bring_halves = {"cublas", "cudnn", "cusparse", "cusolver", "nccl", "cutlass"};

/// The parts of <cub/cub.cuh> for kernels. NVRTC cannot compile the rest.
constexpr std::array collectives = {"block/block_load",       "block/block_store",    "block/block_reduce",
                                    "block/block_scan",       "block/block_exchange", "block/block_histogram",
                                    "block/block_radix_sort", "warp/warp_reduce",     "warp/warp_scan"};

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in || fs::is_directory(path))
    throw std::runtime_error(fmt::format("{} cannot be read: name a .cu file", path.string()));
  return text;
}

/// The name in an include line, and whether it is in quotes. Empty if a macro gives the name.
struct Named {
  std::string name;
  bool quoted = false;
};

std::optional<Named> named_by(const Directive& line) {
  if (line.name != "include" || line.rest.size() < 2) return std::nullopt;
  const char close = line.rest[0] == '"' ? '"' : line.rest[0] == '<' ? '>' : '\0';
  const std::size_t end = close == '\0' ? std::string::npos : line.rest.find(close, 1);
  if (end == std::string::npos) return std::nullopt;
  return Named{.name = line.rest.substr(1, end - 1), .quoted = close == '"'};
}

template <std::size_t N>
bool begins_like_one_of(const std::string& name, const std::array<const char*, N>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const char* beginning) { return name.starts_with(beginning); });
}

/// Whether a header of that name has device code of CUDA that is not built into the compiler.
bool is_device_header(const std::string& name) {
  return is_one_of(name, device_headers) || begins_like_one_of(name, device_beginnings);
}

bool is_cuda_host_header(const std::string& name) {
  return begins_like_one_of(name, host_beginnings);
}

bool is_host_header(const Named& header) {
  if (is_cuda_host_header(header.name)) return true;
  if (is_one_of(header.name, c_headers)) return true;
  // A header in angle brackets is not one of the user's project: it belongs to C, C++, the system or another library.
  return !header.quoted;
}

/// Whether a header of that name is one of C, C++, CUDA's host code or the system.
bool is_of_the_system(const std::string& name) {
  if (begins_like_one_of(name, with_device_code)) return false;
  if (is_cuda_host_header(name) || is_one_of(name, c_headers)) return true;
  if (name.find_first_of("./") == std::string::npos) return true;  // as all headers of C++
  for (const char* const folder : {"/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/local/include"})
    if (fs::exists(fs::path(folder) / name)) return true;
  return false;
}

/// Whether it begins with an include guard, or has a `#pragma once`.
bool is_guarded(const Tokens& tokens) {
  std::optional<std::string> tested;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::directive) {
      tested = "";
      continue;
    }
    const Directive line = tokens.directive(i);
    if (line.name == "pragma" && line.rest == "once") return true;
    if (!tested && line.name == "ifndef") {
      tested = line.rest;
    } else if (tested && !tested->empty()) {
      if (line.name == "define" && words_in(line.rest).size() == 1 && words_in(line.rest)[0] == *tested) return true;
      tested = "";
    }
  }
  return false;
}

/// The types in driver_types.cuh.
constexpr std::array driver_types = {"CUtensorMap", "CUdeviceptr", "CUtexObject"};

bool names_driver_types(const Tokens& tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (is_one_of(tokens.view(i), driver_types)) return true;
  return false;
}

class Flattener {
 public:
  Flattener(const std::vector<fs::path>& folders, Side side, FlatText& flat)
      : folders_(folders), side_(side), flat_(flat) {}

  void add(const fs::path& path, int depth) {
    if (depth > deepest) throw std::runtime_error(fmt::format("{} includes itself without end", path.string()));
    const Tokens tokens(read_file(path), path.string());
    if (is_guarded(tokens)) once_.insert(fs::weakly_canonical(path));
    std::string& text = flat_.text;
    text += fmt::format("#line 1 \"{}\"\n", path.string());
    std::size_t done = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind != TokenKind::directive) continue;
      const Directive line = tokens.directive(i);
      branches_.read(line);
      const std::optional<Named> header = named_by(line);
      const bool is_once = line.name == "pragma" && line.rest == "once";
      const auto found = header ? find(*header, path) : std::nullopt;
      const bool is_of_cuda = header && (is_device_header(header->name) || is_cuda_host_header(header->name));
      const bool stays = line.name != "include" || (side_ == Side::host && !is_of_cuda && !found);
      if (stays && !is_once) continue;
      text.append(tokens.text(), done, tokens[i].begin - done);
      done = tokens[i].end;
      const auto newlines = std::count(tokens.view(i).begin(), tokens.view(i).end(), '\n');
      const std::string next_line = fmt::format("#line {} \"{}\"\n", tokens.line_of(i) + newlines, path.string());
      if (header && header->name == "cuda.h" && side_ == Side::device && !names_driver_types(tokens)) {
        // libcu++ declares such types too, with another definition.
      } else if (is_of_cuda && side_ == Side::host) {
        text += "#include \"kernels/job/text/host.cuh\"\n" + next_line;
      } else if (header && is_device_header(header->name)) {
        text += quiet_begins;
        if (header->name == "cub/cub.cuh")
          for (const char* name : collectives) text += fmt::format("#include <cub/{}.cuh>\n", name);
        else
          text += fmt::format("#include <{}>\n", header->name);
        text += std::string(quiet_ends) + next_line;
      } else if (found) {
        if (once_.contains(fs::weakly_canonical(*found))) {
          text.append(static_cast<std::size_t>(newlines), '\n');
          continue;
        }
        text += '\n';
        add(*found, depth + 1);
        text += "\n" + next_line;
        continue;
      } else if (header && !branches_.is_passed_by()) {
        if (!is_host_header(*header)) flat_.missing.push_back(fmt::format("{}: \"{}\"", tokens.place(i), header->name));
        if (!is_of_the_system(header->name)) flat_.absent.push_back(header->name);
      }
      if (header && begins_like_one_of(header->name, bring_halves)) flat_.brings_halves = true;
      text.append(static_cast<std::size_t>(newlines), '\n');
    }
    text.append(tokens.text(), done);
  }

 private:
  std::optional<fs::path> find(const Named& header, const fs::path& from) const {
    const auto is_there = [](const fs::path& path) { return fs::is_regular_file(path); };
    if (const fs::path beside = from.parent_path() / header.name; header.quoted && is_there(beside))
      return beside.lexically_normal();
    for (const fs::path& folder : folders_)
      if (is_there(folder / header.name)) return (folder / header.name).lexically_normal();
    return std::nullopt;
  }

  const std::vector<fs::path>& folders_;
  Side side_;
  FlatText& flat_;
  Branches branches_;
  std::set<fs::path> once_;
};

}  // namespace

FlatText flat_text(const fs::path& file, const std::vector<fs::path>& folders, Side side) {
  FlatText flat;
  Flattener(folders, side, flat).add(file, 0);
  flat.text = with_expanded_kernels(flat.text);
  return flat;
}

}  // namespace warpwright::job
