// Shared by the tests of the model and of pages: a store, and helpers to read and write it.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "db/store/fixture.hpp"
#include "reports/fixture.hpp"
#include "reports/model.hpp"
#include "reports/page.hpp"

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
  // The page whose name begins with `name`.
  std::string page(const Report& report, const std::string& name) {
    for (const Page& one : pages(report, {}, "2026-11-21T00:00:00.000Z"))
      if (one.name.starts_with(name)) return one.html;
    throw std::runtime_error("no page " + name);
  }
  std::string page(const std::string& name) { return page(read_report(store_), name); }
  // A section of that page; empty if the page does not have it.
  std::string section(const std::string& name, const std::string& id) {
    const std::string html = page(name);
    const std::size_t start = html.find("<section id=" + id + " ");
    return start == std::string::npos ? "" : html.substr(start, html.find("</section>", start) - start);
  }
  // Adds a measured configuration of reduce/sequential to the session of `rows`.
  db::Id add(Rows& rows, int block, double us, const std::string& verdict = "passed") {
    rows.problem("reduce", "op=sum", "1048576", 4);
    rows.kernel("reduce", "sequential", sequential_axes, "{.block_size = 128}");
    db::Trial trial = rows.measured(rows.configuration({{"block_size", block}}), us);
    trial.verdict = verdict;
    if (verdict != "passed") trial.median_us.reset();
    return store_.add_trial(trial);
  }
  // A measured or predicted configuration of a kernel of reduce.
  db::Id reduce(Rows& rows, const std::string& shape, const char* kernel, int block, double us, bool measured = true) {
    rows.problem("reduce", "op=sum", shape, 4);
    rows.kernel("reduce", kernel, sequential_axes, "{.block_size = 128}");
    const db::Id configuration = rows.configuration({{"block_size", block}});
    return store_.add_trial(measured ? rows.measured(configuration, us) : rows.predicted(configuration, us));
  }
  Rows in_a_session() {
    Rows rows = on_h200();
    rows.session("2026-11-20T10:00:00.000Z", 40);
    return rows;
  }
  /// Of 2^20 operations by 1,024 blocks of 64 threads, with its time. Returns the configuration.
  db::Id measured_reduction(Rows& rows, double us) {
    rows.problem("reduce", "op=sum", "1048576", 4);
    db::Problem problem = store_.problems().at(0);
    problem.operations = 1048576;
    store_.upsert(problem);
    rows.kernel("reduce", "sequential", sequential_axes, "{.block_size = 128}");
    const db::Id configuration = rows.configuration({{"block_size", 64}});
    db::Trial trial = rows.measured(configuration, us);
    trial.grid_blocks = 1024;
    trial.block_threads = 64;
    store_.add_trial(trial);
    return configuration;
  }
  Rows on_h200() {
    Rows rows(store_);
    rows.board("NVIDIA H200", "sm_90", 132, 4800);
    rows.environment("580");
    return rows;
  }
};

}  // namespace warpwright::reports
