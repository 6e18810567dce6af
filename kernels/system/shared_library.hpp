// A library that is opened at run time, so that programs also start where it is missing.
#pragma once

#include <string>
#include <vector>

namespace warpwright::gpu {

class SharedLibrary {
 public:
  /// Opens the first of `candidates` that is there. Throws std::runtime_error `missing` (what it is and what to do),
  /// with the loader's own words, when none is.
  SharedLibrary(const std::vector<std::string>& candidates, const std::string& missing);
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  /// Sets `function` to the symbol; throws std::runtime_error when the library is too old to have it.
  template <class F>
  void load(F*& function, const char* symbol) const {
    function = reinterpret_cast<F*>(address_of(symbol));
  }

  const std::string& path() const { return path_; }

 private:
  void* address_of(const char* symbol) const;

  void* handle_ = nullptr;
  std::string path_;
};

}  // namespace warpwright::gpu
