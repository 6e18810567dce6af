// All migrations in their order; one that was released is never edited.
#include "db/store/migrations/migrations.hpp"

#include <array>

namespace warpwright::db {

std::span<const char* const> migrations() {
  static const std::array texts = {migration_1,
                                   migration_2,
                                   migration_3,
                                   migration_4,
                                   migration_conformance_progress,
                                   migration_bus_and_cases,
                                   migration_claims,
                                   migration_arithmetic,
                                   migration_imported,
                                   migration_job_files,
                                   migration_lanes,
                                   migration_space};
  return texts;
}

}  // namespace warpwright::db
