// Replaces <cooperative_groups.h> and its companion headers in the simulator.
// Replaces: cooperative_groups.h cooperative_groups/reduce.h cooperative_groups/scan.h
// Replaces: cooperative_groups/memcpy_async.h cooperative_groups/details/partitioning.h
#pragma once

#include "kernels/runtime/cpu_headers/group_copies.cuh"
#include "kernels/runtime/cpu_headers/group_reduce.cuh"
#include "kernels/runtime/cpu_headers/groups.cuh"
#include "kernels/runtime/cpu_headers/tiles.cuh"
