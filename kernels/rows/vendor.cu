// The softmax of NVIDIA's deep learning library. cuDNN has layernorm and rmsnorm only as graphs, which are not called
// here.
#include <limits>
#include <memory>

#include "kernels/rows/problems.hpp"
#include "kernels/runtime/baselines/cudnn.hpp"

namespace warpwright::rows {
namespace {

using baselines::Cudnn;
using Status = Cudnn::Status;

// Values of cuDNN's enumerators, the same in versions 8 and 9.
constexpr int kAccurate = 1;  // CUDNN_SOFTMAX_ACCURATE: subtracts the largest element
constexpr int kChannel = 1;   // CUDNN_SOFTMAX_MODE_CHANNEL: over the channels

int type_of(const Problem& problem) {
  return problem.type() == ElementType::f32   ? Cudnn::kFloat
         : problem.type() == ElementType::f16 ? Cudnn::kHalf
                                              : Cudnn::kBfloat16;
}

/// Each row is an image of one pixel, its columns are the channels.
class Softmax : public PreparedCallable {
 public:
  explicit Softmax(const CallableRequest& request)
      : handle_(baselines::cudnn_handle(request.stream)),
        rows_(baselines::cudnn_tensor(type_of(request.problem), static_cast<int>(request.problem.shape[0]),
                                      static_cast<int>(request.problem.shape[1]), 1, 1)) {}

  void run(Stream, const CallableBuffers& buffers) override {
    const float one = 1;
    const float zero = 0;
    Cudnn::opened().check(forward_(handle_.get(), kAccurate, kChannel, &one, rows_.get(), buffers.at("in"), &zero,
                                   rows_.get(), buffers.at("out")),
                          "cudnnSoftmaxForward");
  }

 private:
  baselines::CudnnOwned handle_, rows_;
  Status (*forward_)(void* handle, int algorithm, int mode, const void* alpha, void* in_shape, const void* in,
                     const void* beta, void* out_shape, void* out) = Cudnn::opened().symbol("cudnnSoftmaxForward");
};

bool supports(const Problem& problem) {
  return operation_of(problem) == operation::softmax && problem.elements() > 0 &&
         problem.elements() <= std::numeric_limits<int>::max();
}

/// At least a warp shares a row.
double depth(const Problem& problem, const Point&, const Device&) {
  constexpr double kTree = 32 + 10;
  return depth_of_passes(static_cast<double>(problem.shape[1]) / 32 + kTree);
}

}  // namespace

std::vector<Callable> rows_vendor() {
  return {baselines::callable_of<Cudnn>(
      {.pattern = "rows",
       .implementation = "cudnn",
       .idiom = "softmax",
       .supports = supports,
       .depth = depth,
       .prepare = [](const CallableRequest& request) -> std::unique_ptr<PreparedCallable> {
         return std::make_unique<Softmax>(request);
       }})};
}

}  // namespace warpwright::rows
