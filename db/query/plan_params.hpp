// How a plan takes its params: as macros, constants or template arguments.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "db/store/store.hpp"

namespace warpwright::db {

// What the text of a plan says about params.
struct PlanParams {
  std::map<std::string, std::string> macros;     // of the source, and of host code that reads them
  std::map<std::string, std::string> constants;  // of the source
  std::vector<std::string> instances;            // launched kernels with template arguments: "softmax<256, 4>"
};

// From the trial's plan; if this says nothing, all params of `params_json` are macros.
PlanParams plan_params(const Store&, const Trial&, const std::string& params_json);

// What #define lines cannot do, in words: the constants to change, and the template arguments. (A macro with the name
// of a template parameter would break the template.)
std::vector<std::string> notes_of(const PlanParams&);

}  // namespace warpwright::db
