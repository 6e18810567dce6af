# Targets for the baselines workers: baselines_sm_XX for each architecture that nvcc supports. None is part of all.

# warpwright_baselines(KERNEL_FOLDER...)
function(warpwright_baselines)
  find_program(NVCC nvcc HINTS ${CUDA_INCLUDE}/../bin $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin /usr/local/cuda/bin)
  if(NOT NVCC)
    message(STATUS "No nvcc: the baselines (CUB, Thrust, cuBLAS, Kokkos) are left out. Install the CUDA toolkit's "
                   "compiler for them")
    return()
  endif()
  execute_process(COMMAND ${NVCC} --list-gpu-code OUTPUT_VARIABLE known OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REPLACE "\n" ";" known "${known}")
  string(REPLACE ";" "$<SEMICOLON>" folders "${ARGN}")
  set(libraries $<TARGET_FILE:warpwright_runtime> $<TARGET_FILE:warpwright_simulator> $<TARGET_FILE:warpwright_model>
                $<TARGET_FILE:warpwright_core>
                $<TARGET_FILE:warpwright_fmt> ${BOOST_CONTEXT_STATIC} ${XXHASH_STATIC})
  list(JOIN libraries "$<SEMICOLON>" libraries)
  foreach(arch ${known})
    _warpwright_baselines_target(baselines_${arch} ${arch} ${PROJECT_BINARY_DIR}/bin "" "-O3;-arch=${arch}")
  endforeach()
  # For tests: without Kokkos, and in a folder apart from workers of users. It runs no device code, so that is compiled
  # only to PTX.
  set(only_ptx -O0 -Xcicc -O0 -gencode arch=compute_75,code=compute_75)
  _warpwright_baselines_target(baselines_check sm_75 ${PROJECT_BINARY_DIR}/baselines/check/bin off "${only_ptx}")
  # The same with the library of one pattern, cuBLAS, which is compiled in seconds.
  _warpwright_baselines_target(baselines_sample sm_75 ${PROJECT_BINARY_DIR}/baselines/sample/bin off "${only_ptx}"
                               "-DONLY=/transpose/")
endfunction()

# A macro, to set variables in warpwright_baselines.
macro(_warpwright_baselines_target name arch output kokkos flags)
  string(REPLACE ";" "$<SEMICOLON>" nvcc_flags "${flags}")
  string(REPLACE "baselines_" "${PROJECT_BINARY_DIR}/baselines/" folder ${name})
  add_custom_target(${name}
    COMMAND ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR}/cmake/baselines -B ${folder} -G ${CMAKE_GENERATOR}
            --log-level=NOTICE -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_BUILD_TYPE=Release -DARCH=${arch}
            -DNVCC=${NVCC} "-DNVCC_FLAGS=${nvcc_flags}" -DCCACHE=${CCACHE} -DCUDA_INCLUDE=${CUDA_INCLUDE}
            -DOUTPUT_FOLDER=${output}
            -DWARPWRIGHT_KOKKOS=${kokkos} -DWARPWRIGHT_KOKKOS_REPOSITORY=${WARPWRIGHT_KOKKOS_REPOSITORY}
            -DWARPWRIGHT_KOKKOS_TAG=${WARPWRIGHT_KOKKOS_TAG} -DWARPWRIGHT_KOKKOS_COMMIT=${WARPWRIGHT_KOKKOS_COMMIT}
            "-DMAIN_LIBRARIES=${libraries}" "-DKERNEL_FOLDERS=${folders}" ${ARGN}
    COMMAND ${CMAKE_COMMAND} --build ${folder}
    DEPENDS warpwright_runtime warpwright_simulator warpwright_model warpwright_core warpwright_fmt
    COMMENT "The baselines worker for ${arch}"
    VERBATIM USES_TERMINAL)
endmacro()
