// The program `worker`: other programs start it with the number of its socket; not meant for people.
#include "kernels/runtime/worker/answer.hpp"

int main(int argc, char** argv) {
  return warpwright::worker::worker_main(argc, argv);
}
