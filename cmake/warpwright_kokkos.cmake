# Finds a Kokkos.
function(warpwright_provide_kokkos prefix arch)
  set(${prefix}_FOUND FALSE PARENT_SCOPE)
endfunction()
