// The random numbers of the toolkit's libraries: cuRAND's Philox generator, opened at run time. Its sequence is its
// own: only the laws of a distribution say whether it is right.
#include <curand.h>

#include <stdexcept>
#include <string>

#include "kernels/model/callable.hpp"
#include "kernels/random/problems.hpp"
#include "kernels/runtime/baselines/toolkit_library.hpp"
#include "kernels/system/shared_library.hpp"

namespace warpwright::random {
namespace {

struct Curand {
  decltype(&curandCreateGenerator) create;
  decltype(&curandDestroyGenerator) destroy;
  decltype(&curandSetStream) set_stream;
  decltype(&curandSetPseudoRandomGeneratorSeed) set_seed;
  decltype(&curandSetGeneratorOffset) set_offset;
  decltype(&curandSetGeneratorOrdering) set_ordering;
  decltype(&curandGenerateSeeds) make_states;
  decltype(&curandGetProperty) property;
  decltype(&curandGenerate) bits;
  decltype(&curandGenerateUniform) uniform_float;
  decltype(&curandGenerateUniformDouble) uniform_double;
  decltype(&curandGenerateNormal) normal_float;
  decltype(&curandGenerateNormalDouble) normal_double;

  Curand() {
    static const gpu::SharedLibrary library(
        baselines::toolkit_paths("libcurand.so." + std::to_string(CURAND_VER_MAJOR)),
        "cuRAND was not found: put the folder of libcurand.so on LD_LIBRARY_PATH, or set CUDA_HOME");
    library.load(create, "curandCreateGenerator");
    library.load(destroy, "curandDestroyGenerator");
    library.load(set_stream, "curandSetStream");
    library.load(set_seed, "curandSetPseudoRandomGeneratorSeed");
    library.load(set_offset, "curandSetGeneratorOffset");
    library.load(set_ordering, "curandSetGeneratorOrdering");
    library.load(make_states, "curandGenerateSeeds");
    library.load(property, "curandGetProperty");
    library.load(bits, "curandGenerate");
    library.load(uniform_float, "curandGenerateUniform");
    library.load(uniform_double, "curandGenerateUniformDouble");
    library.load(normal_float, "curandGenerateNormal");
    library.load(normal_double, "curandGenerateNormalDouble");
  }

  static const Curand& opened() {
    static const Curand library;
    return library;
  }

  static void check(curandStatus_t status, const char* call) {
    if (status != CURAND_STATUS_SUCCESS)
      throw std::runtime_error(std::string(call) + ": status " + std::to_string(static_cast<int>(status)));
  }
};

struct philox_knobs {
  curandOrdering ordering = CURAND_ORDERING_PSEUDO_DEFAULT;
};

SpaceOf<philox_knobs> philox_space() {
  SpaceOf<philox_knobs> space;
  space.axis("ordering", &philox_knobs::ordering,
             {CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_LEGACY, CURAND_ORDERING_PSEUDO_DYNAMIC});
  return space;
}

/// One generator, whose sequence goes on from run to run: setting it back is no work of a user who wants numbers.
class Philox : public PreparedCallable {
 public:
  explicit Philox(const CallableRequest& request)
      : type_(request.problem.type()),
        is_normal_(is_normal(request.problem)),
        count_(static_cast<std::size_t>(request.problem.elements())) {
    constexpr unsigned long long kSeed = 20111112;
    const Curand& curand = Curand::opened();
    Curand::check(curand.create(&generator_, CURAND_RNG_PSEUDO_PHILOX4_32_10), "curandCreateGenerator");
    try {
      Curand::check(curand.set_stream(generator_, request.stream), "curandSetStream");
      if (curand.set_ordering(generator_, philox_space().params(request.knobs).ordering) != CURAND_STATUS_SUCCESS)
        throw CallableRefusal("cuRAND does not take that ordering for Philox");
      Curand::check(curand.set_seed(generator_, kSeed), "curandSetPseudoRandomGeneratorSeed");
      Curand::check(curand.set_offset(generator_, offset_of(request.problem)), "curandSetGeneratorOffset");
      Curand::check(curand.make_states(generator_), "curandGenerateSeeds");
    } catch (...) {
      curand.destroy(generator_);
      throw;
    }
  }
  ~Philox() override { Curand::opened().destroy(generator_); }

  void run(Stream, const CallableBuffers& buffers) override {
    const Curand& curand = Curand::opened();
    void* const out = buffers.at("out");
    if (type_ == ElementType::u32)
      Curand::check(curand.bits(generator_, static_cast<unsigned*>(out), count_), "curandGenerate");
    else if (type_ == ElementType::f32 && is_normal_)
      Curand::check(curand.normal_float(generator_, static_cast<float*>(out), count_, 0, 1), "curandGenerateNormal");
    else if (type_ == ElementType::f32)
      Curand::check(curand.uniform_float(generator_, static_cast<float*>(out), count_), "curandGenerateUniform");
    else if (is_normal_)
      Curand::check(curand.normal_double(generator_, static_cast<double*>(out), count_, 0, 1),
                    "curandGenerateNormalDouble");
    else
      Curand::check(curand.uniform_double(generator_, static_cast<double*>(out), count_),
                    "curandGenerateUniformDouble");
  }

 private:
  curandGenerator_t generator_ = nullptr;
  ElementType type_;
  bool is_normal_;
  std::size_t count_;
};

/// Normal numbers come in pairs, by Box and Muller's transform.
bool supports(const Problem& problem) {
  if (!refuses(problem).empty() || problem.elements() == 0) return false;
  return !is_normal(problem) || (!is_inverse(problem) && problem.elements() % 2 == 0);
}

}  // namespace

std::vector<Callable> random_vendor() {
  Callable philox{.pattern = "random",
                  .implementation = "curand",
                  .idiom = "philox",
                  .knobs = philox_space().space(),
                  .default_knobs = philox_space().point({}),
                  .has_oracle = false,
                  .laws = {"moments"},
                  .supports = supports,
                  .depth = [](const Problem&, const Point&, const Device&) { return 0.0; },
                  .prepare = [](const CallableRequest& request) -> std::unique_ptr<PreparedCallable> {
                    return std::make_unique<Philox>(request);
                  }};
  try {
    philox.version = baselines::version_text([](libraryPropertyType part) {
      int number = 0;
      Curand::check(Curand::opened().property(part, &number), "curandGetProperty");
      return number;
    });
  } catch (const std::runtime_error& none) {
    philox.missing = none.what();
  }
  return {philox};
}

}  // namespace warpwright::random
