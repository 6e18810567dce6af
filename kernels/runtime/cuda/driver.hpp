// The CUDA driver's functions, opened at run time.
#pragma once

#include <cuda.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace warpwright::gpu {

/// A driver call failed: the call, the error's name and its text.
class DriverError : public std::runtime_error {
 public:
  DriverError(CUresult result, const char* call);
  CUresult result() const { return result_; }

 private:
  CUresult result_;
};

/// Whether a kernel cannot be the cause of that error: the device is lost, damaged or used by another process, or its
/// memory is exhausted.
bool is_environment_fault(CUresult result, std::string_view call);

struct Driver {
  decltype(&cuInit) init;
  decltype(&cuDriverGetVersion) driver_version;
  decltype(&cuGetErrorName) error_name;
  decltype(&cuGetErrorString) error_string;
  decltype(&cuDeviceGetCount) device_count;
  decltype(&cuDeviceGet) device;
  decltype(&cuDeviceGetName) device_name;
  decltype(&cuDeviceGetUuid) device_uuid;
  decltype(&cuDeviceGetAttribute) device_attribute;
  decltype(&cuDeviceTotalMem) device_memory;
  decltype(&cuDevicePrimaryCtxRetain) retain_primary_context;
  decltype(&cuDevicePrimaryCtxRelease) release_primary_context;
  decltype(&cuCtxSetCurrent) set_current_context;
  decltype(&cuMemGetInfo) memory_info;
  decltype(&cuMemAlloc) allocate;
  decltype(&cuMemFree) free;
  decltype(&cuMemHostAlloc) allocate_host;
  decltype(&cuMemFreeHost) free_host;
  decltype(&cuMemHostGetDevicePointer) device_pointer_of_host;
  decltype(&cuMemcpyHtoDAsync) copy_to_device;
  decltype(&cuMemcpyDtoHAsync) copy_to_host;
  decltype(&cuMemcpyDtoDAsync) copy_on_device;
  decltype(&cuMemcpyAsync) copy;  ///< between any kinds of memory
  decltype(&cuMemAllocManaged) allocate_managed;
  decltype(&cuMemPrefetchAsync_v2) prefetch;
  decltype(&cuMemsetD8Async) set_bytes;
  decltype(&cuMemsetD16Async) set_halves;
  decltype(&cuMemsetD32Async) set_words;
  decltype(&cuMemsetD2D32Async) set_words_2d;
  decltype(&cuArray3DCreate) create_array;
  decltype(&cuArrayDestroy) destroy_array;
  decltype(&cuMemcpy3DAsync) copy_boxes;  ///< between arrays and other memory
  decltype(&cuTexObjectCreate) create_texture;
  decltype(&cuTexObjectDestroy) destroy_texture;
  decltype(&cuTensorMapEncodeTiled) encode_tensor_map;
  decltype(&cuStreamCreate) create_stream;
  decltype(&cuStreamDestroy) destroy_stream;
  decltype(&cuStreamSynchronize) synchronize;
  decltype(&cuStreamBeginCapture) begin_capture;
  decltype(&cuStreamEndCapture) end_capture;
  decltype(&cuGraphInstantiate) instantiate_graph;
  decltype(&cuGraphLaunch) launch_graph;
  decltype(&cuGraphDestroy) destroy_graph;
  decltype(&cuGraphExecDestroy) destroy_executable_graph;
  decltype(&cuEventCreate) create_event;
  decltype(&cuEventDestroy) destroy_event;
  decltype(&cuEventRecord) record_event;
  decltype(&cuEventSynchronize) wait_for_event;
  decltype(&cuStreamWaitEvent) let_stream_wait;
  decltype(&cuEventElapsedTime) elapsed_time;
  decltype(&cuModuleLoadData) load_module;
  decltype(&cuModuleUnload) unload_module;
  decltype(&cuModuleGetFunction) module_function;
  decltype(&cuModuleGetGlobal) module_global;
  decltype(&cuFuncSetAttribute) set_function_attribute;
  decltype(&cuLaunchKernel) launch;
  decltype(&cuLaunchKernelEx) launch_with_attributes;

  /// Unless the call succeeded, throws EnvironmentFault for errors for which is_environment_fault is true, else
  /// DriverError.
  void check(CUresult result, const char* call) const;
};

/// The driver, opened and initialised at the first call. Throws std::runtime_error that says what to do if there is no
/// driver, or it finds no GPU.
const Driver& driver();

}  // namespace warpwright::gpu
