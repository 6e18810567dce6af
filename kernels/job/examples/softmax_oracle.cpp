// The oracle of softmax.json: the same in double.
#include <cmath>

void softmax_in_double(const float* in, float* out, long long rows, long long columns) {
  for (long long r = 0; r < rows; ++r) {
    const float* const from = in + r * columns;
    double most = -INFINITY;
    double sum = 0;
    for (long long i = 0; i < columns; ++i) most = std::fmax(most, from[i]);
    for (long long i = 0; i < columns; ++i) sum += std::exp(from[i] - most);
    for (long long i = 0; i < columns; ++i) out[r * columns + i] = static_cast<float>(std::exp(from[i] - most) / sum);
  }
}
