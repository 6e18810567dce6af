// The errors of predicted times. Made by tuner/cost_model/model_error.py from model_rows.csv beside it: run that again
// in place of changing this.
#include "db/query/model_error.hpp"

namespace warpwright::db {

const double equal_within = 0.15;
const double least_measured = 0.63, most_measured = 1.8;

}  // namespace warpwright::db
