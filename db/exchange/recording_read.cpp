// Reads recordings of other tuners: cache files of Kernel Tuner and T4 results.
#include <fmt/core.h>

#include <cmath>

#include "db/exchange/recording.hpp"
#include "db/exchange/recording_words.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"

namespace warpwright::db {
namespace {

// Old versions of Kernel Tuner had no words for failures and wrote a time of at least this instead.
constexpr double failure_ms = 1e20;

// Parses one file; every error message names it.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  Error error(const std::string& what) const { return Error(fmt::format("{}: {}", printable(file_), what)); }

  Recording kernel_tuner(const Json& json) const {
    Recording recording = named(json, "device_name", "kernel_name");
    recording.params = json.value("tune_params", Json::object());
    if (!recording.params.is_object() || !json["cache"].is_object())
      throw error("'tune_params' and 'cache' are no objects: is this a cache file of Kernel Tuner?");
    for (const auto& [key, record] : json["cache"].items()) {
      if (!record.is_object() || !record.contains("time"))
        throw error(fmt::format("the record '{}' has no 'time': record it again.", printable(key)));
      Recorded one = begun(record, record, recording.params, key);
      const Json& time = record["time"];
      if (time.is_string()) {
        one.verdict = word(time.get<std::string>(), key);
      } else if (number(time, "time", key) >= failure_ms) {
        one.verdict = verdict::rejected;
      } else {
        one.verdict = verdict::unchecked;
        one.time_us = 1000 * number(time, "time", key);
        one.samples_us = samples(record, "times", key);
      }
      if (const Json ours = record.value("verdict", Json()); ours.is_string() && t4_word(ours.get<std::string>()))
        if (!one.time_us) one.verdict = ours;
      if (record.contains("verification_time"))
        one.verified_ms = number(record["verification_time"], "verification_time", key);
      recording.results.push_back(std::move(one));
    }
    return recording;
  }

  Recording t4(const Json& json) const {
    const Json metadata = json.value("metadata", Json::object());
    Recording recording = named(metadata.is_object() ? metadata : Json::object(), "board", "kernel");
    if (!json["results"].is_array()) throw error("'results' is no list: is this a T4 file?");
    for (const Json& result : json["results"]) {
      const std::string key = fmt::format("result {}", recording.results.size());
      if (!result.is_object() || !result.contains("configuration") || !result["configuration"].is_object() ||
          !result.value("invalidity", Json()).is_string())
        throw error(key + " has no 'configuration' or no 'invalidity': T4 asks for both.");
      Recorded one = begun(result["configuration"], result, result["configuration"], key);
      one.verdict = word(result["invalidity"].get<std::string>(), key);
      if (one.verdict == verdict::unchecked) {
        one.time_us = measured_us(result, key);
        const Json times = result.value("times", Json::object());
        one.samples_us = samples(times.is_object() ? times : Json::object(), "runtimes", key);
      }
      for (const auto& [name, value] : one.params.items()) {
        Json& values = recording.params[name];
        if (values.is_null()) values = Json::array();
        if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
      }
      recording.results.push_back(std::move(one));
    }
    return recording;
  }

 private:
  Recording named(const Json& json, const char* board, const char* kernel) const {
    const auto text = [&](const char* key) {
      const Json value = json.value(key, Json());
      return value.is_string() ? value.get<std::string>() : std::string();
    };
    Recording recording{.board = text(board), .kernel = text(kernel), .problem = text("problem"), .mode = text("mode")};
    const Json size = json.value("problem_size", Json());
    for (const Json& extent : size.is_array() ? size : Json::array({size})) {
      if (!extent.is_number() || !(extent.get<double>() >= 1) || extent.get<double>() > 1e15) continue;
      recording.shape.push_back(static_cast<std::int64_t>(extent.get<double>()));
    }
    return recording;
  }

  // A result with the params of a record, in the order of `params`, and its timestamp.
  Recorded begun(const Json& from, const Json& record, const Json& params, const std::string& key) const {
    Recorded one;
    for (const auto& [name, values] : params.items()) {
      if (!from.contains(name))
        throw error(fmt::format("'{}' has no param '{}': record it again.", printable(key), printable(name)));
      const Json& value = from[name];
      if (value.is_structured() || value.is_null())
        throw error(fmt::format("'{}': param '{}' is neither a number nor a text.", printable(key), printable(name)));
      one.params[name] = value;
    }
    const Json timestamp = record.value("timestamp", Json());
    if (timestamp.is_string()) one.created_at = timestamp.get<std::string>();
    return one;
  }

  double number(const Json& value, const char* name, const std::string& key) const {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
      throw error(fmt::format("'{}': '{}' is no number: record it again.", printable(key), name));
    return value.get<double>();
  }

  std::string word(const std::string& text, const std::string& key) const {
    const std::optional<std::string> verdict = verdict_of_word(text);
    if (!verdict)
      throw error(fmt::format("'{}': what '{}' says of it is not known: mend the file, or ask for a newer program.",
                              printable(key), printable(text)));
    return *verdict;
  }

  std::vector<double> samples(const Json& from, const char* name, const std::string& key) const {
    std::vector<double> microseconds;
    const Json list = from.value(name, Json::array());
    if (!list.is_array()) throw error(fmt::format("'{}': '{}' is no list.", printable(key), name));
    for (const Json& one : list) microseconds.push_back(1000 * number(one, name, key));
    return microseconds;
  }

  // The measurement "time" in microseconds, converted from the file's unit.
  double measured_us(const Json& result, const std::string& key) const {
    const Json measurements = result.value("measurements", Json::array());
    for (const Json& one : measurements.is_array() ? measurements : Json::array()) {
      if (!one.is_object() || one.value("name", Json()) != "time") continue;
      const Json unit = one.value("unit", Json("ms"));
      const double scale = unit == "s" ? 1e6 : unit == "ms" ? 1e3 : unit == "us" ? 1 : unit == "ns" ? 1e-3 : 0;
      if (scale == 0) throw error(fmt::format("{}: the unit of 'time' is none of s, ms, us and ns.", key));
      return scale * number(one.value("value", Json()), "time", key);
    }
    throw error(key + " is correct but has no measurement 'time': only recordings of times are read.");
  }

  const std::string& file_;
};

}  // namespace

Recording read_recording(std::string_view text, const std::string& file) {
  const Reader reader(file);
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw reader.error("is no JSON object: name a cache file of Kernel Tuner or a T4 file.");
  if (json.contains("cache")) return reader.kernel_tuner(json);
  if (json.contains("results")) return reader.t4(json);
  if (json.contains("Results") && json.contains("Metadata"))
    throw reader.error("is an output of KTT, which is not read: give it in the T4 format.");
  throw reader.error("has neither 'cache' (Kernel Tuner) nor 'results' (T4): name a recording of one of them.");
}

}  // namespace warpwright::db
