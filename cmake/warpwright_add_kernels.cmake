# For projects with kernels of their own: builds programs with these kernels, from an installed warpwright.

# warpwright_add_kernels(NAME KERNELS folder...): builds the programs NAME/tune and NAME/conform in the binary folder,
# as targets NAME_tune and NAME_conform. They have warpwright's patterns and those in the folders, which have the layout
# of kernels/: <folder>/<pattern>/pattern.cpp, <kernel>.cuh, <kernel>.cpp. NAME/ also gets the worker that they start,
# so it can be copied to another machine.
function(warpwright_add_kernels name)
  cmake_parse_arguments(ARG "" "" "KERNELS" ${ARGN})
  if(NOT ARG_KERNELS)
    message(FATAL_ERROR "warpwright_add_kernels(${name}): name folders after KERNELS")
  endif()
  set(sources "")
  set(folders "")
  set(registry ${WARPWRIGHT_REGISTRY})
  set(roots ${WARPWRIGHT_INCLUDE_DIR}/kernels kernels/)
  foreach(folder ${ARG_KERNELS})
    cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    if(NOT IS_DIRECTORY ${folder})
      message(FATAL_ERROR "warpwright_add_kernels(${name}): ${folder} is no folder")
    endif()
    warpwright_find_patterns(sources registry ${folder} "")
    list(APPEND folders ${folder})
    list(APPEND roots ${folder} "/")
  endforeach()

  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${name}.generated)
  warpwright_write_registry(${generated}/registry.cpp ${registry})
  warpwright_embed_sources(${generated}/embedded_sources.cpp ${roots})
  # An object library, so that this catalogue is linked before that of the installed library.
  add_library(${name}_catalogue OBJECT ${sources} ${generated}/registry.cpp ${generated}/embedded_sources.cpp)
  target_include_directories(${name}_catalogue PRIVATE ${folders})
  warpwright_read_without_cuda(${generated}/cpu_headers ${name}_catalogue)
  target_link_libraries(${name}_catalogue PRIVATE warpwright::warpwright_catalogue)
  foreach(program tune conform)
    add_executable(${name}_${program} $<TARGET_OBJECTS:${name}_catalogue>)
    target_link_libraries(${name}_${program} PRIVATE warpwright::warpwright_${program}_main)
    set_target_properties(${name}_${program} PROPERTIES OUTPUT_NAME ${program}
                          RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name})
    add_custom_command(TARGET ${name}_${program} POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy_if_different
                       $<TARGET_FILE:warpwright::worker> ${CMAKE_CURRENT_BINARY_DIR}/${name}/worker)
  endforeach()
endfunction()
