// Writes JSON documents as text.
#include "kernels/system/json_text.hpp"

#include <nlohmann/json.hpp>

namespace warpwright {
namespace {

// Adds the version in front. In a list, adds it to each object.
Json numbered(const Json& json) {
  if (json.is_array()) {
    Json list = Json::array();
    for (const Json& one : json) list.push_back(one.is_object() ? numbered(one) : one);
    return list;
  }
  if (!json.is_object()) return json;
  Json with_version{{"json_version", json_version}};
  with_version.update(json);
  return with_version;
}

}  // namespace

std::string plain_json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string json_text(const Json& json) {
  return plain_json_text(numbered(json));
}

}  // namespace warpwright
