# The target warpwright::device of an installed warpwright: the device headers below WARPWRIGHT_INCLUDE_DIR, and C++20,
# which they need.
if(NOT TARGET warpwright::device)
  add_library(warpwright::device INTERFACE IMPORTED)
  target_include_directories(warpwright::device INTERFACE ${WARPWRIGHT_INCLUDE_DIR})
  target_compile_features(warpwright::device INTERFACE cxx_std_20)
  # Not for every nvcc does CMake know that it supports C++20.
  if("cuda_std_20" IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
    target_compile_features(warpwright::device INTERFACE cuda_std_20)
  else()
    target_compile_options(warpwright::device INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
  endif()
endif()
