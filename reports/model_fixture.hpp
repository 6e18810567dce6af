// Shared by the tests of the model: a store, and reports read from it.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "db/store/fixture.hpp"
#include "reports/fixture.hpp"
#include "reports/model.hpp"

namespace warpwright::reports {

class ModelTest : public testing::Test {
 protected:
  TemporaryFolder folder_{db::memory_folder()};
  db::Store store_{folder_ / "a.db"};

  const Architecture& named(const Report& report, const std::string& name) {
    for (const Architecture& architecture : report.architectures) {
      if (architecture.name == name) return architecture;
    }
    throw std::runtime_error("no " + name);
  }
  // Adds a measured configuration of reduce/sequential to the rows's session.
  db::Id add(Rows& rows, int block, double us, const std::string& verdict = "passed") {
    rows.problem("reduce", "op=sum", "1048576", 4);
    rows.kernel("reduce", "sequential", sequential_axes, "{.block_size = 128}");
    db::Trial trial = rows.measured(rows.configuration({{"block_size", block}}), us);
    trial.verdict = verdict;
    if (verdict != "passed") trial.median_us.reset();
    return store_.add_trial(trial);
  }
  Rows on_h200() {
    Rows rows(store_);
    rows.board("NVIDIA H200", "sm_90", 132, 4800);
    rows.environment("580");
    return rows;
  }
};

}  // namespace warpwright::reports
