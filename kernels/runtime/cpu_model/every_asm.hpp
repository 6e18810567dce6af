// Included before device code that uses `__asm__`: turns that word into `asm`. Headers of the C and C++ libraries use
// it too, so all of them are included first.
#pragma once

#include <bits/stdc++.h>

#define __asm__ asm
#define __asm asm
