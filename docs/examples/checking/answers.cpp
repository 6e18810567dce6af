// The right answers of the examples in this folder: C++ functions of n elements each, which the job files name as their
// oracles.
#include <cmath>

void copied(const float* in, float* out, long long n) {
  for (long long i = 0; i < n; ++i) out[i] = in[i];
}

void doubled(const float* in, float* out, long long n) {
  for (long long i = 0; i < n; ++i) out[i] = 2.0F * in[i];
}

void differences(const float* in, float* out, long long n) {
  for (long long i = 0; i < n; ++i) out[i] = (i + 1 < n ? in[i + 1] : 0.0F) - in[i];
}

/// Sums of this many elements each. They are in double, because the oracle's roundings count against the kernel.
static void sums_of(const float* in, float* out, long long n, long long width) {
  for (long long first = 0; first < n; first += width) {
    double sum = 0;
    for (long long i = first; i < n && i < first + width; ++i) sum += in[i];
    out[first / width] = static_cast<float>(sum);
  }
}

void block_sums(const float* in, float* out, long long n) {
  sums_of(in, out, n, 256);
}

void warp_sums(const float* in, float* out, long long n) {
  sums_of(in, out, n, 32);
}

void total(const float* in, float* out, long long n) {
  sums_of(in, out, n, n);
}

void sum_of_even_places(const float* in, float* out, long long n) {
  double sum = 0;
  for (long long i = 0; i < n; i += 2) sum += in[i];
  *out = static_cast<float>(sum);
}

void positive_ones(const int* in, int* out, long long n) {
  *out = 0;
  for (long long i = 0; i < n; ++i) *out += in[i] > 0 ? 1 : 0;
}

void any_positive(const int* in, int* out, long long n) {
  *out = 0;
  for (long long i = 0; i < n; ++i)
    if (in[i] > 0) *out = 1;
}

/// Each block of 256 elements, rotated by one place to the left; the last element becomes the first one, or 0 if the
/// block is incomplete.
void rotated(const float* in, float* out, long long n) {
  for (long long i = 0; i < n; ++i) {
    const long long from = i / 256 * 256 + (i + 1) % 256;
    out[i] = from < n ? in[from] : 0.0F;
  }
}

void larger_of_two(const float* in, float* out, long long n) {
  for (long long i = 0; i < n; ++i) out[i] = i % 256 == 255 || i == n - 1 ? in[i] : std::fmax(in[i], in[i + 1]);
}

void with_neighbours(const float* in, float* out, long long n) {
  for (long long i = 0; i < n; ++i) out[i] = in[i > 0 ? i - 1 : 0] + in[i] + in[i < n - 1 ? i + 1 : n - 1];
}

void with_the_one_before(const float* in, float* out, long long n) {
  for (long long i = 0; i < n; ++i) out[i] = (i > 0 ? in[i - 1] : 0.0F) + in[i];
}

void signs_of_differences(const float* in, float* out, long long n) {
  for (long long i = 0; i < n; ++i) {
    const float more = in[(i + 1) % n] - in[i];
    out[i] = static_cast<float>(more > 0) - static_cast<float>(more < 0);
  }
}

void positive_parts(const float* in, float* out, long long n) {
  for (long long i = 0; i < n; ++i) out[i] = in[i] > 0 ? in[i] : 0.0F;
}

void remainders(const int* in, int* out, long long n) {
  for (long long i = 0; i < n; ++i) out[i] = in[i] & 15;
}

void shares(const int* in, int* out, long long n) {
  for (long long i = 0; i < n; ++i) out[i] = in[i] % 4 == 0 ? 0 : 100 / (in[i] % 4);
}

void reversed_bits(const unsigned* in, unsigned* out, long long n) {
  for (long long i = 0; i < n; ++i) {
    out[i] = 0;
    for (unsigned bit = 0; bit < 32; ++bit) out[i] |= (in[i] >> bit & 1U) << (31 - bit);
  }
}
