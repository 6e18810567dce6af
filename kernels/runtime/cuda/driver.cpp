// Opening the CUDA driver.
#include "kernels/runtime/cuda/driver.hpp"

#include <fmt/format.h>

#include "kernels/system/environment_fault.hpp"
#include "kernels/system/shared_library.hpp"

// cuda.h renames functions to their current version by macros; the symbol to open is the renamed one.
#define WARPWRIGHT_SYMBOL_TEXT(symbol) #symbol
#define WARPWRIGHT_LOAD(member, symbol) library.load(opened.member, WARPWRIGHT_SYMBOL_TEXT(symbol))

namespace warpwright::gpu {
namespace {

std::string text_of(CUresult result, const char* call) {
  const char* name = nullptr;
  const char* words = nullptr;
  driver().error_name(result, &name);
  driver().error_string(result, &words);
  return fmt::format("{}: {} ({})", call, words != nullptr ? words : "unknown error",
                     name != nullptr ? name : std::to_string(result));
}

Driver open_driver() {
  static const SharedLibrary library({"libcuda.so.1", "libcuda.so", "/usr/local/nvidia/lib64/libcuda.so.1"},
                                     "no CUDA driver was found: install the NVIDIA driver");
  Driver opened{};
  WARPWRIGHT_LOAD(init, cuInit);
  WARPWRIGHT_LOAD(driver_version, cuDriverGetVersion);
  WARPWRIGHT_LOAD(error_name, cuGetErrorName);
  WARPWRIGHT_LOAD(error_string, cuGetErrorString);
  WARPWRIGHT_LOAD(device_count, cuDeviceGetCount);
  WARPWRIGHT_LOAD(device, cuDeviceGet);
  WARPWRIGHT_LOAD(device_name, cuDeviceGetName);
  WARPWRIGHT_LOAD(device_uuid, cuDeviceGetUuid);
  WARPWRIGHT_LOAD(device_attribute, cuDeviceGetAttribute);
  WARPWRIGHT_LOAD(device_memory, cuDeviceTotalMem);
  WARPWRIGHT_LOAD(retain_primary_context, cuDevicePrimaryCtxRetain);
  WARPWRIGHT_LOAD(release_primary_context, cuDevicePrimaryCtxRelease);
  WARPWRIGHT_LOAD(set_current_context, cuCtxSetCurrent);
  WARPWRIGHT_LOAD(memory_info, cuMemGetInfo);
  WARPWRIGHT_LOAD(allocate, cuMemAlloc);
  WARPWRIGHT_LOAD(free, cuMemFree);
  WARPWRIGHT_LOAD(allocate_host, cuMemHostAlloc);
  WARPWRIGHT_LOAD(free_host, cuMemFreeHost);
  WARPWRIGHT_LOAD(device_pointer_of_host, cuMemHostGetDevicePointer);
  WARPWRIGHT_LOAD(copy_to_device, cuMemcpyHtoDAsync);
  WARPWRIGHT_LOAD(copy_to_host, cuMemcpyDtoHAsync);
  WARPWRIGHT_LOAD(copy_on_device, cuMemcpyDtoDAsync);
  WARPWRIGHT_LOAD(copy, cuMemcpyAsync);
  WARPWRIGHT_LOAD(allocate_managed, cuMemAllocManaged);
  WARPWRIGHT_LOAD(prefetch, cuMemPrefetchAsync_v2);
  WARPWRIGHT_LOAD(set_bytes, cuMemsetD8Async);
  WARPWRIGHT_LOAD(set_halves, cuMemsetD16Async);
  WARPWRIGHT_LOAD(set_words, cuMemsetD32Async);
  WARPWRIGHT_LOAD(set_words_2d, cuMemsetD2D32Async);
  WARPWRIGHT_LOAD(create_array, cuArray3DCreate);
  WARPWRIGHT_LOAD(destroy_array, cuArrayDestroy);
  WARPWRIGHT_LOAD(copy_boxes, cuMemcpy3DAsync);
  WARPWRIGHT_LOAD(create_texture, cuTexObjectCreate);
  WARPWRIGHT_LOAD(destroy_texture, cuTexObjectDestroy);
  WARPWRIGHT_LOAD(encode_tensor_map, cuTensorMapEncodeTiled);
  WARPWRIGHT_LOAD(create_stream, cuStreamCreate);
  WARPWRIGHT_LOAD(destroy_stream, cuStreamDestroy);
  WARPWRIGHT_LOAD(synchronize, cuStreamSynchronize);
  WARPWRIGHT_LOAD(begin_capture, cuStreamBeginCapture);
  WARPWRIGHT_LOAD(end_capture, cuStreamEndCapture);
  WARPWRIGHT_LOAD(instantiate_graph, cuGraphInstantiate);
  WARPWRIGHT_LOAD(launch_graph, cuGraphLaunch);
  WARPWRIGHT_LOAD(destroy_graph, cuGraphDestroy);
  WARPWRIGHT_LOAD(destroy_executable_graph, cuGraphExecDestroy);
  WARPWRIGHT_LOAD(create_event, cuEventCreate);
  WARPWRIGHT_LOAD(destroy_event, cuEventDestroy);
  WARPWRIGHT_LOAD(record_event, cuEventRecord);
  WARPWRIGHT_LOAD(wait_for_event, cuEventSynchronize);
  WARPWRIGHT_LOAD(let_stream_wait, cuStreamWaitEvent);
  WARPWRIGHT_LOAD(elapsed_time, cuEventElapsedTime);
  WARPWRIGHT_LOAD(load_module, cuModuleLoadData);
  WARPWRIGHT_LOAD(unload_module, cuModuleUnload);
  WARPWRIGHT_LOAD(module_function, cuModuleGetFunction);
  WARPWRIGHT_LOAD(module_global, cuModuleGetGlobal);
  WARPWRIGHT_LOAD(set_function_attribute, cuFuncSetAttribute);
  WARPWRIGHT_LOAD(launch, cuLaunchKernel);
  WARPWRIGHT_LOAD(launch_with_attributes, cuLaunchKernelEx);
  const CUresult result = opened.init(0);
  if (result != CUDA_SUCCESS) {
    const char* words = nullptr;
    opened.error_string(result, &words);
    throw std::runtime_error(fmt::format("the CUDA driver finds no usable GPU ({}): see nvidia-smi",
                                         words != nullptr ? words : "unknown error"));
  }
  return opened;
}

}  // namespace

DriverError::DriverError(CUresult result, const char* call) : runtime_error(text_of(result, call)), result_(result) {}

bool is_environment_fault(CUresult result, std::string_view call) {
  switch (result) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_DEVICE:
    case CUDA_ERROR_DEVICE_NOT_LICENSED:
    case CUDA_ERROR_SYSTEM_NOT_READY:
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
    case CUDA_ERROR_OPERATING_SYSTEM:
    case CUDA_ERROR_EXTERNAL_DEVICE:
    case CUDA_ERROR_MPS_CONNECTION_FAILED:
    case CUDA_ERROR_MPS_RPC_FAILURE:
    case CUDA_ERROR_MPS_SERVER_NOT_READY:
    case CUDA_ERROR_MPS_MAX_CLIENTS_REACHED:
    case CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED:
    case CUDA_ERROR_MPS_CLIENT_TERMINATED:
      return true;
    case CUDA_ERROR_OUT_OF_MEMORY:
      // If a launch runs out of memory, the kernel itself may need too much.
      return !call.starts_with("cuLaunch") && !call.starts_with("cuGraphLaunch");
    default:
      return false;
  }
}

void Driver::check(CUresult result, const char* call) const {
  if (result == CUDA_SUCCESS) return;
  if (is_environment_fault(result, call))
    throw EnvironmentFault(
        fmt::format("the GPU failed: {}: see nvidia-smi, and who else uses it", DriverError(result, call).what()));
  throw DriverError(result, call);
}

const Driver& driver() {
  static const Driver opened = open_driver();
  return opened;
}

}  // namespace warpwright::gpu
