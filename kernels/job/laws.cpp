// Checks a job's laws on inputs of small integers, within its bound.
#include "kernels/job/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "kernels/job/reference.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::job {
namespace {

std::vector<double> numbers_of(const Bytes& bytes, ElementType type) {
  return with_storage_of(type, [&]<class T>(T) {
    std::vector<double> numbers;
    for (const T element : elements_of<T>(bytes)) numbers.push_back(static_cast<double>(element));
    return numbers;
  });
}

Bytes bytes_of_numbers(const std::vector<double>& numbers, ElementType type) {
  return with_storage_of(type, [&]<class T>(T) {
    std::vector<T> elements;
    for (const double number : numbers) elements.push_back(static_cast<T>(number));
    return bytes_of(elements);
  });
}

/// The positions of a law's two buffers among the inputs and outputs of a problem.
struct Places {
  std::size_t in = 0, out = 0;
  ElementType in_type = ElementType::f32, out_type = ElementType::f32;
};

Places places_of(const JobLaw& law, const Job& job) {
  Places places;
  bool found_in = false;
  bool found_out = false;
  std::size_t ins = 0;
  std::size_t outs = 0;
  for (const JobBuffer& buffer : job.buffers) {
    if (buffer.is_input() && buffer.name == law.in) {
      places.in = ins;
      places.in_type = buffer.element;
      found_in = true;
    }
    if (buffer.is_output() && buffer.name == law.out) {
      places.out = outs;
      places.out_type = buffer.element;
      found_out = true;
    }
    ins += buffer.is_input() ? 1 : 0;
    outs += buffer.is_output() ? 1 : 0;
  }
  if (!found_in) law.place.fail(fmt::format("{} is no in or inout buffer, which a law changes", law.in));
  if (!found_out) law.place.fail(fmt::format("{} is no out or inout buffer, and a law is about those", law.out));
  return places;
}

class LawCheck {
 public:
  LawCheck(const Lowering& lowering, const JobLaw& law, const Places& places, const Problem& problem,
           const std::vector<Bytes>& inputs, const Runner& run)
      : lowering_(lowering), law_(law), places_(places), problem_(problem), inputs_(inputs), run_(run) {}

  std::string permutation() const {
    std::vector<double> elements = numbers_of(inputs_[places_.in], places_.in_type);
    std::shuffle(elements.begin(), elements.end(), std::mt19937_64(elements.size()));
    return difference(result_of(bytes_of_numbers(elements, places_.in_type)), result(),
                      "permutation: another order of {} changes {}");
  }

  std::string linearity() const {
    const std::vector<double> elements = numbers_of(inputs_[places_.in], places_.in_type);
    std::vector<double> others(elements.rbegin(), elements.rend());
    std::vector<double> sum(elements.size());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = 2 * elements[i] + others[i];
    std::vector<double> wanted = result();
    const std::vector<double> of_others = result_of(bytes_of_numbers(others, places_.in_type));
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = 2 * wanted[i] + of_others[i];
    return difference(result_of(bytes_of_numbers(sum, places_.in_type)), wanted,
                      "linearity: twice one {} plus another does not give twice one {} plus the other");
  }

  std::string idempotence() const {
    const Bytes once = run_(problem_, inputs_).at(places_.out);
    return difference(result_of(once), numbers_of(once, places_.out_type), "idempotence: with {1} as {0}, {1} changes");
  }

  std::string twice_is_identity() const {
    const Bytes once = run_(problem_, inputs_).at(places_.out);
    return difference(result_of(once), numbers_of(inputs_[places_.in], places_.in_type),
                      "twice_is_identity: a second run, on {1}, does not give {0} back");
  }

 private:
  std::vector<double> result() const { return numbers_of(run_(problem_, inputs_).at(places_.out), places_.out_type); }

  std::vector<double> result_of(const Bytes& in) const {
    std::vector<Bytes> others = inputs_;
    if (others[places_.in].size() != in.size())
      throw std::runtime_error("the law's two buffers differ in size: name two of the same size");
    others[places_.in] = in;
    return numbers_of(run_(problem_, others).at(places_.out), places_.out_type);
  }

  /// The first difference above the rounding error of small integers. No rounding error is allowed if the job says so.
  std::string difference(const std::vector<double>& got, const std::vector<double>& wanted, const char* words) const {
    const Bound bound = bound_of(lowering_.job, {.name = law_.out, .type = places_.out_type},
                                 {.name = "exact", .exact = lowering_.job.bound.exact}, 1);
    if (got.size() != wanted.size()) return "the law's two buffers differ in size";
    for (std::size_t i = 0; i < got.size(); ++i) {
      const bool same = got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i]));
      if (!same && !(std::abs(got[i] - wanted[i]) <= 4 * (bound.relative * std::abs(wanted[i]) + bound.absolute)))
        return fmt::format("{}: {}[{}] is {}, {} was expected", fmt::format(fmt::runtime(words), law_.in, law_.out),
                           law_.out, i, got[i], wanted[i]);
    }
    return {};
  }

  const Lowering& lowering_;
  const JobLaw& law_;
  const Places& places_;
  const Problem& problem_;
  const std::vector<Bytes>& inputs_;
  const Runner& run_;
};

}  // namespace

const std::vector<std::string>& law_names() {
  static const std::vector<std::string> names{"permutation", "linearity", "idempotence", "twice_is_identity"};
  return names;
}

Law law_of(const JobLaw& law, const std::shared_ptr<const Lowering>& lowering) {
  const Places places = places_of(law, lowering->job);
  const bool feeds_back = law.name == "idempotence" || law.name == "twice_is_identity";
  if (feeds_back && places.in_type != places.out_type)
    law.place.fail(fmt::format("{} gives what {} is made of: both have one type", law.out, law.in));
  return {
      .name = law.name,
      .broken = [law, places, lowering](const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
        const LawCheck check(*lowering, law, places, problem, inputs, run);
        if (law.name == "permutation") return check.permutation();
        if (law.name == "linearity") return check.linearity();
        return law.name == "idempotence" ? check.idempotence() : check.twice_is_identity();
      }};
}

}  // namespace warpwright::job
