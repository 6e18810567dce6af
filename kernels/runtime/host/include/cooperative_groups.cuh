// What <cooperative_groups.h> and the headers beside it are on the SIMT executor.
// Stands for: cooperative_groups.h cooperative_groups/reduce.h cooperative_groups/scan.h
// Stands for: cooperative_groups/memcpy_async.h cooperative_groups/details/partitioning.h
#pragma once

#include "kernels/runtime/host/include/group_copies.cuh"
#include "kernels/runtime/host/include/group_reduce.cuh"
#include "kernels/runtime/host/include/groups.cuh"
#include "kernels/runtime/host/include/tiles.cuh"
