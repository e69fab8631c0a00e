// libvips, which is loaded when the first picture is prepared and not at the start of the program: nobody else needs it, and
// what it needs itself are a hundred libraries (decision 0066).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Loads the library at the first call, for every thread, and lets it read JPEG, PNG, GIF, WebP, HEIC and AVIF, nothing else.
// NULL when all its functions are there; else why not, in the words of the system's loader. They last as long as the program.
const char *valise_vips_load(void);

// For tests: what the same says of a library with another name, of which nothing is used. The words last until this thread
// asks again.
const char *valise_vips_try(const char *name);

// What follows is called only once the library is loaded. One thread at a time is within it; the others wait.

// Such as 8.14.1.
const char *valise_vips_version(void);

// What a picture may take.
struct valise_vips_limits {
    int64_t most_pixels;
    // In memory, of a picture that is held there whole while it is read. Of others a few rows are.
    int64_t most_held_bytes;
    // Until it has been read, with everything.
    int64_t milliseconds;
};

enum valise_vips_result {
    VALISE_VIPS_OK = 0,
    // Not a picture of these formats, or damaged.
    VALISE_VIPS_DAMAGED = 1,
    // More pixels than the limits allow.
    VALISE_VIPS_TOO_LARGE = 2,
    VALISE_VIPS_TOO_SLOW = 3,
};

// A picture in memory: upright, in sRGB, 8 bits a sample.
struct valise_vips_picture {
    void *image;
    int width;
    int height;
    bool has_transparency;
    // Of the picture that was read, before it was made smaller, upright.
    int read_width;
    int read_height;
    // Several pictures in one file, as in an animation: the first was read.
    int pages;
};

enum { VALISE_VIPS_REASON_SIZE = 256 };

// Reads a picture from a descriptor, or from bytes where that is negative, and makes it smaller so that neither side is longer
// than `longest`. The reason is in the library's words.
int valise_vips_read(
    int descriptor, const void *bytes, size_t size, int longest, const struct valise_vips_limits *limits,
    struct valise_vips_picture *picture, char *reason);

void valise_vips_close(struct valise_vips_picture *picture);

// The picture with its longer side so long, encoded without any metadata: as JPEG of a quality of 1 to 100, on white where it is
// transparent; as PNG for a quality of 0. Free it with valise_vips_free.
int valise_vips_encode(
    const struct valise_vips_picture *picture, int longest, int quality, void **bytes, size_t *size, char *reason);

void valise_vips_free(void *bytes);
