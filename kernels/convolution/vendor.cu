// The convolution of NVIDIA's deep learning library: cuDNN's forward pass in plain float or double arithmetic, opened
// at run time. Declared here is what is used of it: its header is no part of the CUDA toolkit.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>

#include "kernels/convolution/plans.hpp"
#include "kernels/model/callable.hpp"
#include "kernels/system/shared_library.hpp"

namespace warpwright::convolution {

/// The forms of cudnnConvolutionFwdAlgo_t that add up products. FFT and Winograd's transform also round what lies
/// outside an output's window: no bound on the window's terms holds for them.
enum class algorithm {
  implicit_gemm = 0,
  implicit_precomp_gemm = 1,
  gemm = 2,
  heuristic = -1  ///< the one of these that cuDNN expects to be the fastest
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

/// What starts with WARPWRIGHT_CUDNN (a file or a folder), the loader's path, and the toolkit's folders.
std::vector<std::string> candidates() {
  std::vector<std::string> paths;
  for (const std::string name : {"libcudnn.so.9", "libcudnn.so.8"}) {
    if (const char* given = std::getenv("WARPWRIGHT_CUDNN"); given != nullptr)
      paths.push_back(std::filesystem::is_directory(given) ? std::string(given) + "/" + name : given);
    paths.push_back(name);
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
      if (const char* home = std::getenv(variable)) paths.push_back(std::string(home) + "/lib64/" + name);
    paths.push_back("/usr/local/cuda/lib64/" + name);
    paths.push_back("/usr/local/cuda/lib/" + name);
  }
  return paths;
}

struct Cudnn {
  std::size_t (*version_number)();
  const char* (*status_text)(Status);
  Status (*create)(void**);
  Status (*destroy)(void*);
  Status (*set_stream)(void*, Stream);
  Status (*create_tensor)(void**);
  Status (*destroy_tensor)(void*);
  Status (*set_tensor)(void*, int format, int type, int n, int c, int h, int w);
  Status (*create_filter)(void**);
  Status (*destroy_filter)(void*);
  Status (*set_filter)(void*, int type, int format, int k, int c, int h, int w);
  Status (*create_convolution)(void**);
  Status (*destroy_convolution)(void*);
  Status (*set_convolution)(void*, int pad_h, int pad_w, int stride_h, int stride_w, int dilation_h, int dilation_w,
                            int mode, int type);
  Status (*set_math)(void*, int math);
  Status (*rank)(void* handle, void* in, void* filter, void* convolution, void* out, int asked, int* given, Candidate*);
  Status (*workspace)(void* handle, void* in, void* filter, void* convolution, void* out, int algorithm, std::size_t*);
  Status (*forward)(void* handle, const void* alpha, void* in_shape, const void* in, void* filter_shape,
                    const void* filter, void* convolution, int algorithm, void* workspace, std::size_t bytes,
                    const void* beta, void* out_shape, void* out);

  Cudnn() {
    static const gpu::SharedLibrary library(
        candidates(),
        "cuDNN was not found: name libcudnn.so or its folder in WARPWRIGHT_CUDNN (pip installs it below "
        "site-packages/nvidia/cudnn/lib), or put that folder on LD_LIBRARY_PATH");
    library.load(version_number, "cudnnGetVersion");
    library.load(status_text, "cudnnGetErrorString");
    library.load(create, "cudnnCreate");
    library.load(destroy, "cudnnDestroy");
    library.load(set_stream, "cudnnSetStream");
    library.load(create_tensor, "cudnnCreateTensorDescriptor");
    library.load(destroy_tensor, "cudnnDestroyTensorDescriptor");
    library.load(set_tensor, "cudnnSetTensor4dDescriptor");
    library.load(create_filter, "cudnnCreateFilterDescriptor");
    library.load(destroy_filter, "cudnnDestroyFilterDescriptor");
    library.load(set_filter, "cudnnSetFilter4dDescriptor");
    library.load(create_convolution, "cudnnCreateConvolutionDescriptor");
    library.load(destroy_convolution, "cudnnDestroyConvolutionDescriptor");
    library.load(set_convolution, "cudnnSetConvolution2dDescriptor");
    library.load(set_math, "cudnnSetConvolutionMathType");
    library.load(rank, "cudnnGetConvolutionForwardAlgorithm_v7");
    library.load(workspace, "cudnnGetConvolutionForwardWorkspaceSize");
    library.load(forward, "cudnnConvolutionForward");
  }

  void check(Status status, const char* call) const {
    if (status != kSuccess) throw std::runtime_error(std::string(call) + ": " + status_text(status));
  }

  /// 91900 is 9.19.0; up to version 8 there was one digit for the second part.
  std::string version() const {
    const std::size_t number = version_number();
    const std::size_t major = number >= 90000 ? 10000 : 1000;
    return std::to_string(number / major) + "." + std::to_string(number % major / 100) + "." +
           std::to_string(number % 100);
  }
};

const Cudnn& cudnn() {
  static const Cudnn opened;
  return opened;
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
    // What is left of the memory holds the problem, its copies and what the cache is flushed with.
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
  /// The first of cuDNN's ranking that adds up products in plain arithmetic and fits the memory.
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
  Callable forward{
      .pattern = "convolution",
      .implementation = "cudnn",
      .idiom = "forward",
      .knobs = forward_space().space(),
      .default_knobs = forward_space().point({}),
      .supports = supports,
      .depth = [](const Problem& problem, const Point&, const Device&) { return static_cast<double>(taps(problem)); },
      .prepare = [](const CallableRequest& request) -> std::unique_ptr<PreparedCallable> {
        return std::make_unique<Forward>(request);
      }};
  try {
    forward.version = cudnn().version();
  } catch (const std::runtime_error& none) {
    forward.missing = none.what();
  }
  return {forward};
}

}  // namespace warpwright::convolution
