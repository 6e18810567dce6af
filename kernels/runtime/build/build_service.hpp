// Worker processes, a disk cache and the compiler that uses both.
#pragma once

#include <filesystem>

#include "kernels/runtime/build/compiler.hpp"
#include "kernels/runtime/build/disk_cache.hpp"
#include "kernels/runtime/client/pool.hpp"
#include "kernels/system/stop.hpp"

namespace warpwright::worker {

struct BuildService {
  Stop stop;  ///< ends waits for a worker
  DiskCache cache;
  Pool pool;
  Compiler compiler;

  /// Compiles `sources`, which must outlive it. An empty `cache_folder` is DiskCache's default one; 0 `workers` means
  /// one for each core. `niceness` is that of the workers.
  explicit BuildService(const SourceTree& sources, const std::filesystem::path& cache_folder = {},
                        const Stop& when = {}, unsigned workers = 0, int niceness = 0)
      : stop(when),
        cache(cache_folder.empty() ? DiskCache::default_folder() : cache_folder),
        pool(workers, when, niceness),
        compiler(pool, cache, sources) {}
};

}  // namespace warpwright::worker
