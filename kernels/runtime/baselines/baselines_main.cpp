// The program `baselines_sm_XX`: the worker with the callables of libraries linked in; not meant for people.
#include "kernels/runtime/worker/answer.hpp"

int main(int argc, char** argv) {
  return warpwright::worker::worker_main(argc, argv, warpwright::callables());
}
