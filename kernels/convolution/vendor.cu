// The convolution with NVIDIA's libraries: cuDNN's forward pass in plain float or double arithmetic, and NPP's filter
// for images of one channel whose edges repeat.
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "kernels/convolution/plans.hpp"
#include "kernels/runtime/baselines/cudnn.hpp"
#include "kernels/runtime/baselines/npp.hpp"

namespace warpwright::convolution {

/// The forms of cudnnConvolutionFwdAlgo_t that add up products. FFT and Winograd's transform are left out: their
/// rounding errors depend on pixels outside an output's window, so the bound does not hold.
enum class algorithm {
  implicit_gemm = 0,
  implicit_precomp_gemm = 1,
  gemm = 2,
  heuristic = -1  ///< the one of these that cuDNN's heuristic ranks first
};

namespace {

using baselines::Cudnn;
using Owned = baselines::CudnnOwned;
using Status = Cudnn::Status;

// Values of cuDNN's enumerators, the same in versions 8 and 9.
constexpr int kCrossCorrelation = 1;  // CUDNN_CROSS_CORRELATION
constexpr int kFmaMath = 3;           // CUDNN_FMA_MATH: neither tensor cores nor TF32

/// cudnnConvolutionFwdAlgoPerf_t
struct Candidate {
  int algorithm;
  Status status;
  float milliseconds;
  std::size_t workspace;
  int determinism;
  int math;
  int reserved[3];
};

/// The functions of convolutions.
struct Functions {
  const Cudnn& cudnn = Cudnn::opened();
  Status (*create_filter)(void**) = cudnn.symbol("cudnnCreateFilterDescriptor");
  Status (*destroy_filter)(void*) = cudnn.symbol("cudnnDestroyFilterDescriptor");
  Status (*set_filter)(void*, int type, int format, int k, int c, int h,
                       int w) = cudnn.symbol("cudnnSetFilter4dDescriptor");
  Status (*create_convolution)(void**) = cudnn.symbol("cudnnCreateConvolutionDescriptor");
  Status (*destroy_convolution)(void*) = cudnn.symbol("cudnnDestroyConvolutionDescriptor");
  Status (*set_convolution)(void*, int pad_h, int pad_w, int stride_h, int stride_w, int dilation_h, int dilation_w,
                            int mode, int type) = cudnn.symbol("cudnnSetConvolution2dDescriptor");
  Status (*set_math)(void*, int math) = cudnn.symbol("cudnnSetConvolutionMathType");
  Status (*rank)(void* handle, void* in, void* filter, void* convolution, void* out, int asked, int* given,
                 Candidate*) = cudnn.symbol("cudnnGetConvolutionForwardAlgorithm_v7");
  Status (*workspace)(void* handle, void* in, void* filter, void* convolution, void* out, int algorithm,
                      std::size_t*) = cudnn.symbol("cudnnGetConvolutionForwardWorkspaceSize");
  Status (*forward)(void* handle, const void* alpha, void* in_shape, const void* in, void* filter_shape,
                    const void* filter, void* convolution, int algorithm, void* workspace, std::size_t bytes,
                    const void* beta, void* out_shape, void* out) = cudnn.symbol("cudnnConvolutionForward");
};

const Functions& functions() {
  static const Functions loaded;
  return loaded;
}

void check(Status status, const char* call) {
  Cudnn::opened().check(status, call);
}

struct forward_knobs {
  convolution::algorithm algorithm = algorithm::heuristic;
};

SpaceOf<forward_knobs> forward_space() {
  SpaceOf<forward_knobs> space;
  space.axis("algorithm", &forward_knobs::algorithm,
             {algorithm::heuristic, algorithm::implicit_gemm, algorithm::implicit_precomp_gemm, algorithm::gemm});
  return space;
}

/// One image of one channel, padded with zeros to keep its size.
class Forward : public PreparedCallable {
 public:
  explicit Forward(const CallableRequest& request)
      : is_double_(request.problem.type() == ElementType::f64),
        handle_(baselines::cudnn_handle(request.stream)),
        image_(baselines::cudnn_tensor(is_double_ ? Cudnn::kDouble : Cudnn::kFloat, 1, 1,
                                       static_cast<int>(request.problem.shape[0]),
                                       static_cast<int>(request.problem.shape[1]))),
        filter_(baselines::cudnn_owned(functions().create_filter, functions().destroy_filter,
                                       "cudnnCreateFilterDescriptor")),
        convolution_(baselines::cudnn_owned(functions().create_convolution, functions().destroy_convolution,
                                            "cudnnCreateConvolutionDescriptor")) {
    const int type = is_double_ ? Cudnn::kDouble : Cudnn::kFloat;
    const auto size = static_cast<int>(request.problem.integer("filter"));
    const int reach = size / 2;
    check(functions().set_filter(filter_.get(), type, Cudnn::kRowMajor, 1, 1, size, size),
          "cudnnSetFilter4dDescriptor");
    check(functions().set_convolution(convolution_.get(), reach, reach, 1, 1, 1, 1, kCrossCorrelation, type),
          "cudnnSetConvolution2dDescriptor");
    check(functions().set_math(convolution_.get(), kFmaMath), "cudnnSetConvolutionMathType");
    // The other half of the memory holds the problem, its copies and the buffers that flush the cache.
    const auto most = static_cast<std::size_t>(request.device.memory_bytes / 2);
    const algorithm asked = forward_space().params(request.knobs).algorithm;
    algorithm_ = asked == algorithm::heuristic ? fastest(most) : static_cast<int>(asked);
    if (functions().workspace(handle_.get(), image_.get(), filter_.get(), convolution_.get(), image_.get(), algorithm_,
                              &workspace_) != Cudnn::kSuccess)
      throw CallableRefusal("cuDNN does not take this problem with that algorithm");
    if (workspace_ > most) throw CallableRefusal("needs a workspace of " + std::to_string(workspace_) + " bytes");
  }

  std::int64_t scratch_bytes() const override { return static_cast<std::int64_t>(workspace_); }

  void run(Stream, const CallableBuffers& buffers) override {
    const double wide[] = {1, 0};
    const float narrow[] = {1, 0};
    const void* one = is_double_ ? static_cast<const void*>(&wide[0]) : &narrow[0];
    const void* zero = is_double_ ? static_cast<const void*>(&wide[1]) : &narrow[1];
    void* scratch = workspace_ == 0 ? nullptr : buffers.at("scratch");
    check(
        functions().forward(handle_.get(), one, image_.get(), buffers.at("image"), filter_.get(), buffers.at("filter"),
                            convolution_.get(), algorithm_, scratch, workspace_, zero, image_.get(), buffers.at("out")),
        "cudnnConvolutionForward");
  }

 private:
  /// The first algorithm in cuDNN's ranking that sums products in plain arithmetic and fits the memory.
  int fastest(std::size_t most) const {
    std::array<Candidate, 16> ranked{};
    int count = 0;
    check(functions().rank(handle_.get(), image_.get(), filter_.get(), convolution_.get(), image_.get(),
                           static_cast<int>(ranked.size()), &count, ranked.data()),
          "cudnnGetConvolutionForwardAlgorithm_v7");
    for (const Candidate& candidate : std::vector(ranked.begin(), ranked.begin() + count))
      if (candidate.status == Cudnn::kSuccess && candidate.algorithm <= static_cast<int>(algorithm::gemm) &&
          candidate.math == kFmaMath && candidate.workspace <= most)
        return candidate.algorithm;
    throw CallableRefusal("cuDNN has no algorithm for this problem that adds up products");
  }

  bool is_double_;
  Owned handle_, image_, filter_, convolution_;
  int algorithm_ = 0;
  std::size_t workspace_ = 0;
};

/// cuDNN counts in int, and pads with zeros only.
bool supports(const Problem& problem) {
  return !clamps(problem) && problem.elements() > 0 && problem.elements() <= std::numeric_limits<int>::max();
}

template <class T>
__global__ void reverse(const T* __restrict__ from, T* __restrict__ to, int count) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) to[i] = from[count - 1 - i];
}

/// NPP expects the filter in reverse order, which is an input and so not timed. Its filter with a border repeats the
/// pixels at the edges.
class Filter : public PreparedCallable {
 public:
  explicit Filter(const CallableRequest& request)
      : context_(baselines::npp_context(request.stream)),
        image_{static_cast<int>(request.problem.shape[1]), static_cast<int>(request.problem.shape[0])},
        size_(static_cast<int>(request.problem.integer("filter"))) {}

  std::int64_t scratch_bytes() const override {
    return std::int64_t{size_} * size_ * static_cast<std::int64_t>(sizeof(float));
  }

  void prepare(Stream stream, const CallableBuffers& buffers) override {
    reverse<<<1, 256, 0, stream>>>(static_cast<const float*>(buffers.at("filter")),
                                   static_cast<float*>(buffers.at("scratch")), size_ * size_);
    baselines::check(cudaGetLastError(), "reverse");
  }

  void run(Stream, const CallableBuffers& buffers) override {
    const baselines::Npp& npp = baselines::Npp::opened();
    const int step = image_.width * static_cast<int>(sizeof(float));
    npp.check(npp.filter_border(static_cast<const float*>(buffers.at("image")), step, image_, {0, 0},
                                static_cast<float*>(buffers.at("out")), step, image_,
                                static_cast<const float*>(buffers.at("scratch")), {size_, size_},
                                {size_ / 2, size_ / 2}, baselines::Npp::kReplicate, context_),
              "nppiFilterBorder_32f_C1R_Ctx");
  }

 private:
  baselines::NppContext context_;
  baselines::NppSize image_;
  int size_;
};

/// NPP counts pixels and bytes of a row in int.
bool supports_filter(const Problem& problem) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max() / 8;
  return problem.type() == ElementType::f32 && convolution::clamps(problem) && problem.elements() > 0 &&
         problem.shape[0] <= kMost && problem.shape[1] <= kMost;
}

}  // namespace

std::vector<Callable> convolution_vendor() {
  const Callable both{.pattern = "convolution", .depth = [](const Problem& problem, const Point&, const Device&) {
                        return static_cast<double>(taps(problem));
                      }};
  Callable forward = both;
  forward.implementation = "cudnn";
  forward.idiom = "forward";
  forward.knobs = forward_space().space();
  forward.default_knobs = forward_space().point({});
  forward.supports = supports;
  forward.prepare = [](const CallableRequest& request) -> std::unique_ptr<PreparedCallable> {
    return std::make_unique<Forward>(request);
  };
  Callable filter = both;
  filter.implementation = "npp";
  filter.idiom = "filter";
  filter.supports = supports_filter;
  filter.prepare = [](const CallableRequest& request) -> std::unique_ptr<PreparedCallable> {
    return std::make_unique<Filter>(request);
  };
  return {baselines::callable_of<Cudnn>(forward), baselines::callable_of<baselines::Npp>(filter)};
}

}  // namespace warpwright::convolution
