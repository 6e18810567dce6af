// The program `worker`: started by the others with the number of its socket; not meant for people.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "kernels/runtime/worker/serve.hpp"

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--answer") == 0) return warpwright::worker::answer_file(argv[2]);
  if (argc != 2) {
    std::fputs("worker is started by tune and conform; run one of these instead\n", stderr);
    return 2;
  }
  warpwright::worker::serve(std::atoi(argv[1]));
  return 0;
}
