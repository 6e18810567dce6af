# Targets that build the baselines workers: baselines_sm_XX for every architecture that nvcc knows; none is part of all.

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
  set(libraries $<TARGET_FILE:warpwright_runtime> $<TARGET_FILE:warpwright_host> $<TARGET_FILE:warpwright_model>
                ${BOOST_CONTEXT_STATIC} ${XXHASH_STATIC})
  list(JOIN libraries "$<SEMICOLON>" libraries)
  foreach(arch ${known})
    set(folder ${PROJECT_BINARY_DIR}/baselines/${arch})
    add_custom_target(baselines_${arch}
      COMMAND ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR}/cmake/baselines -B ${folder} -G ${CMAKE_GENERATOR}
              -Wno-dev --log-level=NOTICE -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_BUILD_TYPE=Release -DARCH=${arch} -DNVCC=${NVCC}
              -DCCACHE=${CCACHE} -DCUDA_INCLUDE=${CUDA_INCLUDE} -DMAIN_BINARY_DIR=${PROJECT_BINARY_DIR}
              "-DMAIN_LIBRARIES=${libraries}" "-DKERNEL_FOLDERS=${folders}"
      COMMAND ${CMAKE_COMMAND} --build ${folder}
      DEPENDS warpwright_runtime warpwright_host warpwright_model
      COMMENT "The baselines worker for ${arch}"
      VERBATIM USES_TERMINAL)
  endforeach()
endfunction()
