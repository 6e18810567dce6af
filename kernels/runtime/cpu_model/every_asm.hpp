// Read before a source that reads device code with `__asm__`: that word becomes `asm`, which such code may hold. The
// headers of the C and C++ libraries use it for their own, so they are all read first.
#pragma once

#include <bits/stdc++.h>

#define __asm__ asm
#define __asm asm
