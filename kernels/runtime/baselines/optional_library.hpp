// Libraries that a baselines worker opens at run time, so that it also starts if they are missing.
#pragma once

#include <library_types.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/model/callable.hpp"
#include "kernels/system/shared_library.hpp"
#include "kernels/system/toolkit.hpp"

namespace warpwright::baselines {

/// Where a library may be: where the loader searches, then the toolkit's folder.
inline std::vector<std::string> toolkit_paths(const std::string& file) {
  return {file, (gpu::toolkit_folder() / "lib64" / file).string()};
}

/// `Library` derives from this class, has functions as members, such as
/// `decltype(&curandGenerate) generate = symbol("curandGenerate");`, and `version()`. Zero is the status of success.
template <class Library>
class OptionalLibrary {
 public:
  /// Throws std::runtime_error, with what to do, if the library is missing.
  static const Library& opened() {
    static const Library library;
    return library;
  }

  /// Sets `function` to the function of that name. Throws std::runtime_error if the library is too old to have it.
  template <class F>
  void load(F*& function, const char* name) const {
    library_.load(function, name);
  }

  /// Throws std::runtime_error that names the call.
  template <class Status>
  void check(Status status, const char* call) const {
    if (status != Status())
      throw std::runtime_error(std::string(call) + ": " + static_cast<const Library*>(this)->text_of(status));
  }

  /// The text for an error code, unless the library has its own.
  template <class Status>
  std::string text_of(Status status) const {
    return "status " + std::to_string(static_cast<int>(status));
  }

 protected:
  /// A function of the library, of the type that it is assigned to.
  class Symbol {
   public:
    Symbol(const gpu::SharedLibrary& library, const char* name) : library_(library), name_(name) {}

    template <class F>
    operator F*() const {
      F* function = nullptr;
      library_.load(function, name_);
      return function;
    }

   private:
    const gpu::SharedLibrary& library_;
    const char* name_;
  };

  OptionalLibrary(const std::vector<std::string>& paths, const std::string& missing) : library_(paths, missing) {}

  /// Opens a library of the toolkit, in the version of its header: "cuBLAS", "libcublas.so", 13.
  OptionalLibrary(const std::string& name, const std::string& file, int version)
      : OptionalLibrary(toolkit_paths(file + "." + std::to_string(version)),
                        name + " was not found: put the folder of " + file + " on LD_LIBRARY_PATH, or set CUDA_HOME") {}

  Symbol symbol(const char* name) const { return {library_, name}; }

  /// "13.1.0", from the library's function of that name.
  template <class Status>
  std::string version_from(Status (*get_property)(libraryPropertyType, int*), const char* name) const {
    std::string text;
    for (const libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
      int number = 0;
      check(get_property(part, &number), name);
      text += (text.empty() ? "" : ".") + std::to_string(number);
    }
    return text;
  }

 private:
  gpu::SharedLibrary library_;
};

/// The callable with the version of its library, or with the reason why that is missing.
template <class Library>
Callable callable_of(Callable callable) {
  try {
    callable.version = Library::opened().version();
  } catch (const std::runtime_error& none) {
    callable.missing = none.what();
  }
  return callable;
}

}  // namespace warpwright::baselines
