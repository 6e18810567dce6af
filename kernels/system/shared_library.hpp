// A library that is opened at run time, so that programs start without it too.
#pragma once

#include <string>
#include <vector>

namespace warpwright::gpu {

class SharedLibrary {
 public:
  /// Opens the first of `candidates` that exists. If none exists, throws std::runtime_error with `missing` (what is
  /// missing, and what to do) and the loader's message.
  SharedLibrary(const std::vector<std::string>& candidates, const std::string& missing);
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  /// Sets `function` to the symbol. Throws std::runtime_error if the library is too old to have it.
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
