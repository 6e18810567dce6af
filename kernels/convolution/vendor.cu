// The convolution of NVIDIA's deep learning library: cuDNN's forward pass in plain float or double arithmetic, opened
// at run time. This file declares what it uses, because cuDNN's header is not part of the CUDA toolkit.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>

#include "kernels/convolution/plans.hpp"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/optional_library.hpp"

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

// Values of cuDNN's enumerators, the same in versions 8 and 9.
using Status = int;
constexpr Status kSuccess = 0;
constexpr int kFloat = 0;             // CUDNN_DATA_FLOAT
constexpr int kDouble = 1;            // CUDNN_DATA_DOUBLE
constexpr int kRowMajor = 0;          // CUDNN_TENSOR_NCHW
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

/// The path in WARPWRIGHT_CUDNN (a file or a folder), then the folders of the toolkit's libraries.
std::vector<std::string> paths() {
  std::vector<std::string> all;
  for (const std::string name : {"libcudnn.so.9", "libcudnn.so.8"}) {
    if (const char* given = std::getenv("WARPWRIGHT_CUDNN"); given != nullptr)
      all.push_back(std::filesystem::is_directory(given) ? std::string(given) + "/" + name : given);
    for (const std::string& path : baselines::toolkit_paths(name)) all.push_back(path);
    all.push_back("/usr/local/cuda/lib/" + name);
  }
  return all;
}

struct Cudnn : baselines::OptionalLibrary<Cudnn> {
  Cudnn()
      : OptionalLibrary(
            paths(),
            "cuDNN was not found: name libcudnn.so or its folder in WARPWRIGHT_CUDNN (pip installs it below "
            "site-packages/nvidia/cudnn/lib), or put that folder on LD_LIBRARY_PATH") {}

  std::string text_of(Status status) const { return status_text(status); }

  /// 91900 is 9.19.0; up to version 8 the minor version had one digit.
  std::string version() const {
    const std::size_t number = version_number();
    const std::size_t major = number >= 90000 ? 10000 : 1000;
    return std::to_string(number / major) + "." + std::to_string(number % major / 100) + "." +
           std::to_string(number % 100);
  }

  std::size_t (*version_number)() = symbol("cudnnGetVersion");
  const char* (*status_text)(Status) = symbol("cudnnGetErrorString");
  Status (*create)(void**) = symbol("cudnnCreate");
  Status (*destroy)(void*) = symbol("cudnnDestroy");
  Status (*set_stream)(void*, Stream) = symbol("cudnnSetStream");
  Status (*create_tensor)(void**) = symbol("cudnnCreateTensorDescriptor");
  Status (*destroy_tensor)(void*) = symbol("cudnnDestroyTensorDescriptor");
  Status (*set_tensor)(void*, int format, int type, int n, int c, int h, int w) = symbol("cudnnSetTensor4dDescriptor");
  Status (*create_filter)(void**) = symbol("cudnnCreateFilterDescriptor");
  Status (*destroy_filter)(void*) = symbol("cudnnDestroyFilterDescriptor");
  Status (*set_filter)(void*, int type, int format, int k, int c, int h, int w) = symbol("cudnnSetFilter4dDescriptor");
  Status (*create_convolution)(void**) = symbol("cudnnCreateConvolutionDescriptor");
  Status (*destroy_convolution)(void*) = symbol("cudnnDestroyConvolutionDescriptor");
  Status (*set_convolution)(void*, int pad_h, int pad_w, int stride_h, int stride_w, int dilation_h, int dilation_w,
                            int mode, int type) = symbol("cudnnSetConvolution2dDescriptor");
  Status (*set_math)(void*, int math) = symbol("cudnnSetConvolutionMathType");
  Status (*rank)(void* handle, void* in, void* filter, void* convolution, void* out, int asked, int* given,
                 Candidate*) = symbol("cudnnGetConvolutionForwardAlgorithm_v7");
  Status (*workspace)(void* handle, void* in, void* filter, void* convolution, void* out, int algorithm,
                      std::size_t*) = symbol("cudnnGetConvolutionForwardWorkspaceSize");
  Status (*forward)(void* handle, const void* alpha, void* in_shape, const void* in, void* filter_shape,
                    const void* filter, void* convolution, int algorithm, void* workspace, std::size_t bytes,
                    const void* beta, void* out_shape, void* out) = symbol("cudnnConvolutionForward");
};

const Cudnn& cudnn() {
  return Cudnn::opened();
}

/// A handle or a descriptor of cuDNN.
using Owned = std::unique_ptr<void, Status (*)(void*)>;

Owned owned(Status (*create)(void**), Status (*destroy)(void*), const char* call) {
  void* made = nullptr;
  cudnn().check(create(&made), call);
  return {made, destroy};
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
        handle_(owned(cudnn().create, cudnn().destroy, "cudnnCreate")),
        image_(owned(cudnn().create_tensor, cudnn().destroy_tensor, "cudnnCreateTensorDescriptor")),
        filter_(owned(cudnn().create_filter, cudnn().destroy_filter, "cudnnCreateFilterDescriptor")),
        convolution_(
            owned(cudnn().create_convolution, cudnn().destroy_convolution, "cudnnCreateConvolutionDescriptor")) {
    const int type = is_double_ ? kDouble : kFloat;
    const auto size = static_cast<int>(request.problem.integer("filter"));
    const int reach = size / 2;
    cudnn().check(cudnn().set_stream(handle_.get(), request.stream), "cudnnSetStream");
    cudnn().check(cudnn().set_tensor(image_.get(), kRowMajor, type, 1, 1, static_cast<int>(request.problem.shape[0]),
                                     static_cast<int>(request.problem.shape[1])),
                  "cudnnSetTensor4dDescriptor");
    cudnn().check(cudnn().set_filter(filter_.get(), type, kRowMajor, 1, 1, size, size), "cudnnSetFilter4dDescriptor");
    cudnn().check(cudnn().set_convolution(convolution_.get(), reach, reach, 1, 1, 1, 1, kCrossCorrelation, type),
                  "cudnnSetConvolution2dDescriptor");
    cudnn().check(cudnn().set_math(convolution_.get(), kFmaMath), "cudnnSetConvolutionMathType");
    // The other half of the memory holds the problem, its copies and the buffers that flush the cache.
    const auto most = static_cast<std::size_t>(request.device.memory_bytes / 2);
    const algorithm asked = forward_space().params(request.knobs).algorithm;
    algorithm_ = asked == algorithm::heuristic ? fastest(most) : static_cast<int>(asked);
    if (cudnn().workspace(handle_.get(), image_.get(), filter_.get(), convolution_.get(), image_.get(), algorithm_,
                          &workspace_) != kSuccess)
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
    cudnn().check(
        cudnn().forward(handle_.get(), one, image_.get(), buffers.at("image"), filter_.get(), buffers.at("filter"),
                        convolution_.get(), algorithm_, scratch, workspace_, zero, image_.get(), buffers.at("out")),
        "cudnnConvolutionForward");
  }

 private:
  /// The first algorithm in cuDNN's ranking that sums products in plain arithmetic and fits the memory.
  int fastest(std::size_t most) const {
    std::array<Candidate, 16> ranked{};
    int count = 0;
    cudnn().check(cudnn().rank(handle_.get(), image_.get(), filter_.get(), convolution_.get(), image_.get(),
                               static_cast<int>(ranked.size()), &count, ranked.data()),
                  "cudnnGetConvolutionForwardAlgorithm_v7");
    for (const Candidate& candidate : std::vector(ranked.begin(), ranked.begin() + count))
      if (candidate.status == kSuccess && candidate.algorithm <= static_cast<int>(algorithm::gemm) &&
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

}  // namespace

std::vector<Callable> convolution_vendor() {
  return {baselines::callable_of<Cudnn>(
      {.pattern = "convolution",
       .implementation = "cudnn",
       .idiom = "forward",
       .knobs = forward_space().space(),
       .default_knobs = forward_space().point({}),
       .supports = supports,
       .depth = [](const Problem& problem, const Point&, const Device&) { return static_cast<double>(taps(problem)); },
       .prepare = [](const CallableRequest& request) -> std::unique_ptr<PreparedCallable> {
         return std::make_unique<Forward>(request);
       }})};
}

}  // namespace warpwright::convolution
