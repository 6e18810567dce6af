// Tests of parts of SARIF logs; conformance/program/sarif_schema_test.mjs validates complete logs against the published
// schema.
#include "conformance/program/sarif.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kernels/system/temporary_folder.hpp"

namespace warpwright::conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Diagnostic race_at(const std::string& file, int line) {
  return {.kind = "race",
          .at = {.file = file, .line = line, .column = 5},
          .message = "two stores",
          .by = "by block (0, 0, 0), thread (1, 0, 0)",
          .other = Diagnostic::Other{.at = {.file = file, .line = line + 2, .column = 9}, .words = "the other access"},
          .kernel = "job:sum/sum",
          .repro = "conform sum.json --repro 'kernel=job:sum/sum'",
          .about = "partial"};
}

json log_of(const std::vector<Diagnostic>& diagnostics) {
  return json::parse(sarif_text({.target = "host/sm_90", .diagnostics = diagnostics}, catalogue()));
}

json first_of(const Diagnostic& one) {
  return log_of({one}).at("runs").at(0).at("results").at(0);
}

TEST(Sarif, ARunWithoutFindingsIsALogWithRulesAndNoResult) {
  const json log = log_of({});
  EXPECT_EQ(log.at("version"), "2.1.0");
  EXPECT_THAT(log.at("$schema").get<std::string>(), HasSubstr("sarif-schema-2.1.0.json"));
  ASSERT_EQ(log.at("runs").size(), 1U);
  const json& run = log.at("runs").at(0);
  EXPECT_TRUE(run.at("results").is_array());
  EXPECT_TRUE(run.at("results").empty());
  EXPECT_EQ(run.at("tool").at("driver").at("rules").size(), diagnostic_kinds().size());
  EXPECT_FALSE(run.at("tool").at("driver").at("version").get<std::string>().empty());
  EXPECT_EQ(run.at("automationDetails").at("id"), "conform/host/sm_90/");
}

TEST(Sarif, AResultNamesItsRuleBothLocationsAndTheCommandToReproduceIt) {
  const json log = log_of({race_at("mine/sum.cu", 12)});
  const json& run = log.at("runs").at(0);
  const json& result = run.at("results").at(0);
  EXPECT_EQ(result.at("ruleId"), "race");
  EXPECT_EQ(run.at("tool").at("driver").at("rules").at(result.at("ruleIndex").get<std::size_t>()).at("id"), "race");
  EXPECT_EQ(result.at("level"), "error");
  const json& at = result.at("locations").at(0).at("physicalLocation");
  EXPECT_EQ(at.at("artifactLocation").at("uri"), "mine/sum.cu");
  EXPECT_EQ(at.at("region"), json({{"startLine", 12}, {"startColumn", 5}}));
  const json& other = result.at("relatedLocations").at(0);
  EXPECT_EQ(other.at("physicalLocation").at("region").at("startLine"), 14);
  EXPECT_EQ(other.at("message").at("text"), "the other access");
  EXPECT_THAT(result.at("message").at("text").get<std::string>(),
              testing::AllOf(HasSubstr("two stores"), HasSubstr("Reproduce: conform sum.json --repro")));
  Diagnostic note = race_at("a.cu", 1);
  note.level = Level::note;
  EXPECT_EQ(first_of(note).at("level"), "note");
}

TEST(Sarif, PathsInsideTheCurrentFolderAreRelativeAndOthersAbsolute) {
  const auto uri_of = [](const std::string& file) {
    return first_of(race_at(file, 1))
        .at("locations")
        .at(0)
        .at("physicalLocation")
        .at("artifactLocation")
        .at("uri")
        .get<std::string>();
  };
  EXPECT_EQ(uri_of((std::filesystem::current_path() / "a b/k.cu").string()), "a%20b/k.cu");
  EXPECT_EQ(uri_of("./jobs/../k.cu"), "k.cu");
  EXPECT_EQ(uri_of("/elsewhere/k.cu"), "file:///elsewhere/k.cu");
}

TEST(Sarif, AFingerprintStaysWhenLinesMoveAndChangesWithTheirText) {
  const TemporaryFolder folder;
  const std::string file = (folder / "sum.cu").string();
  const auto fingerprint = [&](const std::string& text, int line) {
    std::ofstream(file) << text;
    return first_of(race_at(file, line)).at("partialFingerprints").at("warpwrightFinding/v1").get<std::string>();
  };
  const std::string before = fingerprint("x = 1;\n\n  y = 2;\n", 1);
  EXPECT_EQ(before, fingerprint("// more\n  x = 1;\n\ny = 2;\n", 2));
  EXPECT_NE(before, fingerprint("x = 3;\n\n  y = 2;\n", 1));
  EXPECT_NE(before, fingerprint("x = 1;\n\n  y = 4;\n", 1));
}

TEST(Sarif, AFileThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(write_sarif("/nowhere/at/all.sarif", {.target = "host/sm_90"}, catalogue()), std::runtime_error);
}

}  // namespace
}  // namespace warpwright::conformance
