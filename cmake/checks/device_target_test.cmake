# A project that links warpwright::device, and sets no C++ standard, compiles device headers: in C++ and, with nvcc, in
# CUDA.
# cmake -D SOURCE=<root> -D FOLDER=<scratch> -D COMPILER=<c++> -D NVCC=<nvcc or NOTFOUND> -P device_target_test.cmake
file(REMOVE_RECURSE ${FOLDER})
set(languages CXX)
set(sources host.cpp)
if(NVCC)
  list(APPEND languages CUDA)
  list(APPEND sources device.cu)
endif()
list(JOIN languages " " languages)
list(JOIN sources " " sources)
set(text "#include \"kernels/transpose/tiled.cuh\"\nstatic_assert(warpwright::transpose::tiled_params{} == warpwright::transpose::tiled_params{});\n")
file(WRITE ${FOLDER}/source/host.cpp "${text}")
file(WRITE ${FOLDER}/source/device.cu "${text}")
file(WRITE ${FOLDER}/source/CMakeLists.txt "
cmake_minimum_required(VERSION 3.25)
project(mine LANGUAGES ${languages})
set(WARPWRIGHT_INCLUDE_DIR ${SOURCE})
include(${SOURCE}/cmake/warpwright_device.cmake)
add_library(mine OBJECT ${sources})
target_link_libraries(mine PRIVATE warpwright::device)
")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${FOLDER}/source -B ${FOLDER}/build -DCMAKE_CXX_COMPILER=${COMPILER}
                        -DCMAKE_CUDA_COMPILER=${NVCC} -DCMAKE_CUDA_HOST_COMPILER=${COMPILER}
                        -DCMAKE_CUDA_ARCHITECTURES=75 -DCMAKE_CXX_EXTENSIONS=OFF
                COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${FOLDER}/build COMMAND_ERROR_IS_FATAL ANY)
