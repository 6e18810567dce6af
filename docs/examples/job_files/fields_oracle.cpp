// An oracle as a C++ function: see "oracle" in docs/job_files.md.

void scaled_on_the_cpu(const float* in, float* out, long long count) {
  for (long long i = 0; i < count; ++i) out[i] = 2.0F * in[i];
}
