// The host combines the blocks' results one after the other.
#pragma once

#if !defined(__CUDACC__)
namespace warpwright::reduce::on_host {

struct sum {
  static int combine(int a, int b) { return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)); }
  static long combine(long a, long b) {
    return static_cast<long>(static_cast<unsigned long>(a) + static_cast<unsigned long>(b));
  }
  template <class T>
  static T combine(T a, T b) {
    return a + b;
  }
};

struct product {
  static int combine(int a, int b) { return static_cast<int>(static_cast<unsigned>(a) * static_cast<unsigned>(b)); }
  static long combine(long a, long b) {
    return static_cast<long>(static_cast<unsigned long>(a) * static_cast<unsigned long>(b));
  }
  template <class T>
  static T combine(T a, T b) {
    return a * b;
  }
};

// No block's result is NaN, because each block starts from the identity.
struct min {
  template <class T>
  static T combine(T a, T b) {
    return b < a ? b : a;
  }
};
struct max {
  template <class T>
  static T combine(T a, T b) {
    return a < b ? b : a;
  }
};

/// Combines values[0..count) into *out; count is at least 1.
template <class T, class Op>
void finish_on_host(const T* values, T* out, long long count) {
  T value = values[0];
  for (long long i = 1; i < count; ++i) value = Op::combine(value, values[i]);
  *out = value;
}

}  // namespace warpwright::reduce::on_host
#endif
