// The right results of saxpy.json, computed on the CPU.

void saxpy_on_the_cpu(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 2.0F * x[i] + y[i];
}
