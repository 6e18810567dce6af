/* Looks up settings at run time, in a file of `tunedb export --format json`: which kernel with which params is best for
 * a problem on a board. For C, C++, and any language that calls C. Link with -lwarpwright_lookup.
 *
 * All functions may be called from several threads; only warpwright_close() must be the last call on its file. Nothing
 * throws, prints or ends the program. A function that fails returns NULL and writes why to `error`, a buffer of
 * `error_size` bytes that may be NULL. */
#ifndef WARPWRIGHT_LOOKUP_H
#define WARPWRIGHT_LOOKUP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. A program that was compiled with one version runs with every library that has the
 * same name (libwarpwright_lookup.so.1). Later libraries may have more functions, and more members at the end of
 * warpwright_setting. */
#define WARPWRIGHT_LOOKUP_VERSION 1
int warpwright_lookup_version(void);

/* The settings of one exported file. */
typedef struct warpwright_settings warpwright_settings;

/* Reads a file. It is not needed any more after that. */
warpwright_settings* warpwright_open(const char* path, char* error, size_t error_size);
void warpwright_close(warpwright_settings* settings);

/* One setting of the file, which lives until the file is closed. No text is NULL. */
typedef struct warpwright_setting {
  const char* kernel;     /* its name: "tiled" */
  const char* params;     /* as C++ text: "{.tile_dim = 32, .bank_pad = 1}" */
  const char* axes;       /* the same as JSON: "{\"tile_dim\":32,\"bank_pad\":1}" */
  const char* provenance; /* "measured", "predicted" or "imported" */
  const char* certainty;  /* how thoroughly it was checked: "certified (200 cases on the GPU ...)" */
  const char* arch;       /* "sm_90" */
  const char* board;      /* the model: "NVIDIA H200" */
  const char* problem;    /* what it was tuned for: "transpose[data=uniform,float,8192x8192]" */
  double microseconds;    /* its time there */
  double worst_loss;      /* if it serves data that is not known, or all sizes: it is at most so much slower than the
                           * best of each (0.03: 3 %); otherwise 0 */
} warpwright_setting;

/* How an answer differs from the question: 0, or a sum of these. */
#define WARPWRIGHT_OTHER_BOARD 1u
#define WARPWRIGHT_OTHER_DATA 2u
#define WARPWRIGHT_OTHER_SIZE 4u

/* The best setting for a problem. Architecture, pattern, types and settings are as asked. If there are several, this
 * decides, in this order: the data set, measured before predicted before imported, the board (as asked, or else the
 * nearest in bandwidth per multiprocessor), the nearest size.
 *
 * arch:    "sm_90", for compute capability 9.0.
 * board:   the model, as CUDA's device properties name it: "NVIDIA H200"; NULL if any will do.
 * problem: "PATTERN[SETTINGS,TYPES,SIZE]", as in the output of the programs: "reduce[op=sum,data=uniform,float,2^26]".
 *          Without types, or without one of the settings, all settings of the file must agree in it. Without a data
 *          set, the answer is what loses least on any of them, if several were tuned. The size "*" asks for the setting
 *          that serves all tuned sizes best.
 * differs: how the answer differs; may be NULL. */
const warpwright_setting* warpwright_find(const warpwright_settings* settings, const char* arch, const char* board,
                                          const char* problem, unsigned* differs, char* error, size_t error_size);

/* The value of a param: "32"; the name of an enumerator; "0" or "1" for a truth value. NULL if there is no such
 * param. */
const char* warpwright_param(const warpwright_setting* setting, const char* name);

#ifdef __cplusplus
}
#endif

#endif
