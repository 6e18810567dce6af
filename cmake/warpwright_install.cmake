# Installs the programs, and the package that find_package(warpwright) finds: libraries, headers and what builds programs
# with kernels of other folders.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/warpwright)
get_property(registry GLOBAL PROPERTY WARPWRIGHT_REGISTRY)

install(TARGETS tune conform tunedb report RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# The programs start it; users do not.
install(TARGETS worker EXPORT warpwright RUNTIME DESTINATION libexec/warpwright)
install(TARGETS warpwright_options warpwright_fmt warpwright_model warpwright_host warpwright_runtime
                warpwright_job_text warpwright_job warpwright_catalogue warpwright_db warpwright_conformance warpwright_tuner warpwright_conform_main
                warpwright_tune_main
        EXPORT warpwright ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/warpwright)
foreach(folder kernels db conformance tuner)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION include/warpwright
          FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh" PATTERN "*.mutants" PATTERN "testdata" EXCLUDE)
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/warpwrightConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/warpwrightConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/warpwrightConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT warpwright NAMESPACE warpwright:: FILE warpwrightTargets.cmake DESTINATION ${package_folder})
install(FILES ${PROJECT_BINARY_DIR}/warpwrightConfig.cmake ${PROJECT_BINARY_DIR}/warpwrightConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/warpwright_add_kernels.cmake ${CMAKE_CURRENT_LIST_DIR}/warpwright_catalogue.cmake
              ${CMAKE_CURRENT_LIST_DIR}/warpwright_device.cmake ${CMAKE_CURRENT_LIST_DIR}/warpwright_embed.cmake
              ${CMAKE_CURRENT_LIST_DIR}/embed_files.cmake
              ${CMAKE_CURRENT_LIST_DIR}/embedded_sources.cpp.in
        DESTINATION ${package_folder})
