// How wrong predicted times are; docs/design/prediction.md says how it was found.
#pragma once

namespace warpwright::db {

// Predicted times within this share of the least one count as equal: the model orders a quarter of such pairs wrongly.
extern const double equal_within;
// Eight of ten measured times are between these multiples of the predicted one.
extern const double least_measured, most_measured;

}  // namespace warpwright::db
