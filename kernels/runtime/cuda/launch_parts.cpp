// Parts of a launch in the driver's form: tensor maps and attributes.
#include "kernels/runtime/cuda/launch_parts.hpp"

#include <fmt/format.h>

#include <bit>

#include "kernels/runtime/cuda/driver.hpp"
#include "kernels/runtime/cuda/runnable.hpp"

namespace warpwright::gpu {

CUtensorMap encoded(const TensorMap& map, std::uint64_t address) {
  constexpr CUtensorMapDataType kTypes[] = {CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_UINT16,
                                            CU_TENSOR_MAP_DATA_TYPE_UINT32, CU_TENSOR_MAP_DATA_TYPE_UINT64};
  const auto type = kTypes[std::countr_zero(static_cast<unsigned>(map.element_bytes))];
  const CUtensorMapSwizzle swizzle = map.swizzle == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                                     : map.swizzle == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                     : map.swizzle == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                                                         : CU_TENSOR_MAP_SWIZZLE_NONE;
  std::vector<cuuint64_t> sizes{static_cast<cuuint64_t>(map.columns)};
  std::vector<cuuint64_t> pitches;
  pitches.reserve(1);  // the driver refuses a null pointer, also for one dimension, which has none
  std::vector<cuuint32_t> box{static_cast<cuuint32_t>(map.box_columns)};
  const auto add = [&](std::int64_t count, std::int64_t pitch, int of_box) {
    sizes.push_back(static_cast<cuuint64_t>(count));
    pitches.push_back(static_cast<cuuint64_t>(pitch * map.element_bytes));
    box.push_back(static_cast<cuuint32_t>(of_box));
  };
  if (map.dimensions() > 1) add(map.rows, map.pitch, map.box_rows);
  for (const TensorLayers& layers : map.outer) add(layers.count, layers.pitch, layers.box);
  const std::vector<cuuint32_t> steps(sizes.size(), 1);
  CUtensorMap made;
  const CUresult result =
      driver().encode_tensor_map(&made, type, static_cast<cuuint32_t>(sizes.size()), reinterpret_cast<void*>(address),
                                 sizes.data(), pitches.data(), box.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE,
                                 swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_NOT_SUPPORTED)
    throw NotLaunchable(
        fmt::format("{}; it is of {}", DriverError(result, "cuTensorMapEncodeTiled").what(), describe(map)));
  driver().check(result, "cuTensorMapEncodeTiled");
  return made;
}

std::vector<CUlaunchAttribute> attributes_of(const Launch& launch) {
  std::vector<CUlaunchAttribute> attributes;
  if (const Dim3& cluster = launch.cluster; cluster.count() != 1) {
    CUlaunchAttribute& attribute = attributes.emplace_back();
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim.x = cluster.x;
    attribute.value.clusterDim.y = cluster.y;
    attribute.value.clusterDim.z = cluster.z;
  }
  if (launch.cooperative) {
    CUlaunchAttribute& attribute = attributes.emplace_back();
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value.cooperative = 1;
  }
  if (launch.programmatic) {
    CUlaunchAttribute& attribute = attributes.emplace_back();
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
  }
  return attributes;
}

}  // namespace warpwright::gpu
