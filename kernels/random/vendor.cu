// The random numbers of the toolkit's libraries: cuRAND's generators, opened at run time. Their sequences differ from
// ours, so only the laws check the results.
#include <curand.h>

#include <string>

#include "kernels/model/callable.hpp"
#include "kernels/random/problems.hpp"
#include "kernels/runtime/baselines/optional_library.hpp"

namespace warpwright::random {
namespace {

struct Curand : baselines::OptionalLibrary<Curand> {
  Curand() : OptionalLibrary("cuRAND", "libcurand.so", CURAND_VER_MAJOR) {}

  std::string version() const { return version_from(property, "curandGetProperty"); }

  decltype(&curandCreateGenerator) create = symbol("curandCreateGenerator");
  decltype(&curandDestroyGenerator) destroy = symbol("curandDestroyGenerator");
  decltype(&curandSetStream) set_stream = symbol("curandSetStream");
  decltype(&curandSetPseudoRandomGeneratorSeed) set_seed = symbol("curandSetPseudoRandomGeneratorSeed");
  decltype(&curandSetGeneratorOffset) set_offset = symbol("curandSetGeneratorOffset");
  decltype(&curandSetGeneratorOrdering) set_ordering = symbol("curandSetGeneratorOrdering");
  decltype(&curandGenerateSeeds) make_states = symbol("curandGenerateSeeds");
  decltype(&curandGetProperty) property = symbol("curandGetProperty");
  decltype(&curandGenerate) bits = symbol("curandGenerate");
  decltype(&curandGenerateUniform) uniform_float = symbol("curandGenerateUniform");
  decltype(&curandGenerateUniformDouble) uniform_double = symbol("curandGenerateUniformDouble");
  decltype(&curandGenerateNormal) normal_float = symbol("curandGenerateNormal");
  decltype(&curandGenerateNormalDouble) normal_double = symbol("curandGenerateNormalDouble");
};

struct generator_knobs {
  curandOrdering ordering = CURAND_ORDERING_PSEUDO_DEFAULT;
};

/// The orderings that some generator takes; each refuses those that it does not take.
SpaceOf<generator_knobs> generator_space() {
  SpaceOf<generator_knobs> space;
  space.axis("ordering", &generator_knobs::ordering,
             {CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_LEGACY, CURAND_ORDERING_PSEUDO_DYNAMIC,
              CURAND_ORDERING_PSEUDO_BEST, CURAND_ORDERING_PSEUDO_SEEDED});
  return space;
}

/// One generator, whose sequence continues from run to run: resetting it is not part of the timed work.
class Generator : public PreparedCallable {
 public:
  Generator(curandRngType type, const CallableRequest& request)
      : type_(request.problem.type()),
        is_normal_(is_normal(request.problem)),
        count_(static_cast<std::size_t>(request.problem.elements())) {
    constexpr unsigned long long kSeed = 20111112;
    const Curand& curand = Curand::opened();
    curand.check(curand.create(&generator_, type), "curandCreateGenerator");
    try {
      curand.check(curand.set_stream(generator_, request.stream), "curandSetStream");
      if (curand.set_ordering(generator_, generator_space().params(request.knobs).ordering) != CURAND_STATUS_SUCCESS)
        throw CallableRefusal("cuRAND does not take that ordering for this generator");
      curand.check(curand.set_seed(generator_, kSeed), "curandSetPseudoRandomGeneratorSeed");
      // Mersenne Twisters have no offset.
      if (type != CURAND_RNG_PSEUDO_MTGP32 && type != CURAND_RNG_PSEUDO_MT19937)
        curand.check(curand.set_offset(generator_, offset_of(request.problem)), "curandSetGeneratorOffset");
      curand.check(curand.make_states(generator_), "curandGenerateSeeds");
    } catch (...) {
      curand.destroy(generator_);
      throw;
    }
  }
  ~Generator() override { Curand::opened().destroy(generator_); }

  void run(Stream, const CallableBuffers& buffers) override {
    const Curand& curand = Curand::opened();
    void* const out = buffers.at("out");
    if (type_ == ElementType::u32)
      curand.check(curand.bits(generator_, static_cast<unsigned*>(out), count_), "curandGenerate");
    else if (type_ == ElementType::f32 && is_normal_)
      curand.check(curand.normal_float(generator_, static_cast<float*>(out), count_, 0, 1), "curandGenerateNormal");
    else if (type_ == ElementType::f32)
      curand.check(curand.uniform_float(generator_, static_cast<float*>(out), count_), "curandGenerateUniform");
    else if (is_normal_)
      curand.check(curand.normal_double(generator_, static_cast<double*>(out), count_, 0, 1),
                   "curandGenerateNormalDouble");
    else
      curand.check(curand.uniform_double(generator_, static_cast<double*>(out), count_), "curandGenerateUniformDouble");
  }

 private:
  curandGenerator_t generator_ = nullptr;
  ElementType type_;
  bool is_normal_;
  std::size_t count_;
};

/// Normal numbers come in pairs, by the Box-Muller transform.
bool supports(const Problem& problem) {
  if (!refuses(problem).empty() || problem.elements() == 0) return false;
  return !is_normal(problem) || (!is_inverse(problem) && problem.elements() % 2 == 0);
}

template <curandRngType Type>
Callable callable(const char* idiom) {
  return baselines::callable_of<Curand>(
      {.pattern = "random",
       .implementation = "curand",
       .idiom = idiom,
       .knobs = generator_space().space(),
       .default_knobs = generator_space().point({}),
       .has_oracle = false,
       .laws = {"moments"},
       .supports = supports,
       .prepare = [](const CallableRequest& request) -> std::unique_ptr<PreparedCallable> {
         return std::make_unique<Generator>(Type, request);
       }});
}

}  // namespace

std::vector<Callable> random_vendor() {
  return {callable<CURAND_RNG_PSEUDO_PHILOX4_32_10>("philox"), callable<CURAND_RNG_PSEUDO_XORWOW>("xorwow"),
          callable<CURAND_RNG_PSEUDO_MRG32K3A>("mrg32k3a"), callable<CURAND_RNG_PSEUDO_MTGP32>("mtgp32"),
          callable<CURAND_RNG_PSEUDO_MT19937>("mt19937")};
}

}  // namespace warpwright::random
