// Writes SARIF 2.1.0.
#include "conformance/program/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "db/store/schema.hpp"
#include "kernels/core/hash.hpp"
#include "kernels/system/output_file.hpp"

namespace warpwright::conformance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A path as a URI, relative to the current folder if it is inside it.
std::string uri_of(const std::string& file) {
  fs::path path(file);
  if (path.is_absolute()) {
    const fs::path relative = path.lexically_relative(fs::current_path());
    if (!relative.empty() && *relative.begin() != "..") path = relative;
  }
  const std::string text = path.lexically_normal().generic_string();
  std::string uri = path.is_absolute() ? "file://" : "";
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

std::string fingerprint_of(const Diagnostic& one, const Catalogue& catalogue) {
  std::string text =
      one.kind + '\n' + one.kernel + '\n' + uri_of(one.at.file) + '\n' + one.about + '\n' + code_at(catalogue, one.at);
  if (one.other) text += '\n' + uri_of(one.other->at.file) + '\n' + code_at(catalogue, one.other->at);
  return hash_text(text);
}

Json physical(const Location& at) {
  return {{"artifactLocation", {{"uri", uri_of(at.file)}, {"uriBaseId", "%SRCROOT%"}}},
          {"region", {{"startLine", at.line}, {"startColumn", at.column}}}};
}

std::string word_of(Level level) {
  return level == Level::note ? "note" : "error";
}

Json rule_list() {
  Json all = Json::array();
  for (const DiagnosticKind& kind : diagnostic_kinds())
    all.push_back({{"id", rule_id(kind.kind)},
                   {"shortDescription", {{"text", kind.kind}}},
                   {"fullDescription", {{"text", kind.words}}},
                   {"help", {{"text", kind.help}}},
                   {"defaultConfiguration", {{"level", kind.kind == "not modelled" ? "note" : "error"}}},
                   {"properties", {{"tags", {"cuda", "correctness"}}}}});
  return all;
}

std::size_t rule_index(std::string_view kind) {
  const auto kinds = diagnostic_kinds();
  return static_cast<std::size_t>(std::ranges::find(kinds, kind, &DiagnosticKind::kind) - kinds.begin());
}

Json result(const Diagnostic& one, const Catalogue& catalogue) {
  std::string message = one.message;
  for (const std::string& line : {one.by, one.detail})
    if (!line.empty()) message += "\n" + line;
  for (const std::string& line : one.more) message += "\n" + line;
  if (!one.repro.empty()) message += "\nReproduce: " + one.repro;
  Json made{{"ruleId", rule_id(one.kind)},
            {"ruleIndex", rule_index(one.kind)},
            {"level", word_of(one.level)},
            {"message", {{"text", message}}},
            {"locations", {{{"physicalLocation", physical(one.at)}}}}};
  if (one.other)
    made["relatedLocations"] = {
        {{"id", 1}, {"physicalLocation", physical(one.other->at)}, {"message", {{"text", one.other->words}}}}};
  made["partialFingerprints"] = {{"warpwrightFinding/v1", fingerprint_of(one, catalogue)}};
  made["properties"] = {{"kernel", one.kernel}};
  if (!one.repro.empty()) made["properties"]["reproduce"] = one.repro;
  return made;
}

}  // namespace

std::string sarif_text(const SarifRun& run, const Catalogue& catalogue) {
  Json results = Json::array();
  for (const Diagnostic& one : run.diagnostics) results.push_back(result(one, catalogue));
  const Json log{
      {"$schema", kSchema},
      {"version", "2.1.0"},
      {"runs",
       {{{"tool", {{"driver", {{"name", "warpwright"}, {"version", db::program_version()}, {"rules", rule_list()}}}}},
         // Keeps the results of different targets apart.
         {"automationDetails", {{"id", "conform/" + run.target + "/"}}},
         {"invocations", {{{"executionSuccessful", run.complete}}}},
         {"results", results}}}}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_sarif(const std::string& path, const SarifRun& run, const Catalogue& catalogue) {
  write_file(path, "the SARIF report", sarif_text(run, catalogue));
}

}  // namespace warpwright::conformance
