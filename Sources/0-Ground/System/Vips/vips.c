// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE 1  // clock_gettime

#include "CVips.h"
#include "CPlatform.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// Declared here and not by the header: it comes with a hundred packages for whoever builds, and what is declared has been the
// same since the library got the number that it is loaded by. Arguments that are named come in pairs, with NULL at the end.
typedef struct vips_image VipsImage;
typedef struct vips_source VipsSource;
typedef struct vips_array VipsArrayDouble;

enum { access_sequential = 1, size_down = 2, level_mask = ~3, first_swapped_orientation = 5 };

typedef void (*callback)(void);

#define FUNCTIONS(F) \
    F(int, vips_init, (const char *)) \
    F(const char *, vips_version_string, (void)) \
    F(void, vips_cache_set_max, (int)) \
    F(void, vips_concurrency_set, (int)) \
    F(void, vips_operation_block_set, (const char *, int)) \
    F(const char *, vips_error_buffer, (void)) \
    F(void, vips_error_clear, (void)) \
    F(VipsSource *, vips_source_new_from_descriptor, (int)) \
    F(VipsSource *, vips_source_new_from_memory, (const void *, size_t)) \
    F(VipsImage *, vips_image_new_from_source, (VipsSource *, const char *, ...)) \
    F(int, vips_image_get_width, (const VipsImage *)) \
    F(int, vips_image_get_height, (const VipsImage *)) \
    F(int, vips_image_get_bands, (const VipsImage *)) \
    F(int, vips_image_get_format, (const VipsImage *)) \
    F(uint64_t, vips_format_sizeof, (int)) \
    F(int, vips_image_hasalpha, (VipsImage *)) \
    F(int, vips_image_get_orientation, (VipsImage *)) \
    F(int, vips_image_get_n_pages, (VipsImage *)) \
    F(unsigned long, vips_image_get_typeof, (const VipsImage *, const char *)) \
    F(int, vips_image_get_int, (const VipsImage *, const char *, int *)) \
    F(int, vips_image_get_string, (const VipsImage *, const char *, const char **)) \
    F(void, vips_image_set_progress, (VipsImage *, int)) \
    F(void, vips_image_set_kill, (VipsImage *, int)) \
    F(VipsImage *, vips_image_copy_memory, (VipsImage *)) \
    F(int, vips_thumbnail_source, (VipsSource *, VipsImage **, int, ...)) \
    F(int, vips_thumbnail_image, (VipsImage *, VipsImage **, int, ...)) \
    F(int, vips_flatten, (VipsImage *, VipsImage **, ...)) \
    F(int, vips_jpegsave_buffer, (VipsImage *, void **, size_t *, ...)) \
    F(int, vips_pngsave_buffer, (VipsImage *, void **, size_t *, ...)) \
    F(VipsArrayDouble *, vips_array_double_new, (const double *, int)) \
    F(void, vips_area_unref, (void *)) \
    F(void, g_object_unref, (void *)) \
    F(void, g_free, (void *)) \
    F(unsigned long, g_signal_connect_data, (void *, const char *, callback, void *, callback, int)) \
    F(unsigned, g_log_set_handler, (const char *, int, callback, void *))

#define POINTER(result, name, parameters) result (*name) parameters;
struct functions {
    FUNCTIONS(POINTER)
};

// All at once, so that a missing function is found here and not in the middle of a picture. Those of GLib are found through the
// library that needs them.
static bool resolve(void *library, struct functions *found, char *reason) {
#define FIND(result, name, parameters) && valise_library_find(library, #name, &found->name, reason)
    return true FUNCTIONS(FIND);
}

static const char *const names[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/vips/lib/libvips.42.dylib",
    "/usr/local/opt/vips/lib/libvips.42.dylib",
#else
    "libvips.so.42",
#endif
};

static struct functions vips;
static bool is_loaded;
static char why_not[valise_reason_size];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void drop(const char *domain, int level, const char *message, void *context) {
    (void)domain, (void)level, (void)message, (void)context;
}

// The library is never unloaded.
static void load(void) {
    void *library = valise_library_open(names, sizeof names / sizeof names[0], why_not);
    if (library == NULL || !resolve(library, &vips, why_not)) return;
    if (vips.vips_init("valise") != 0) {
        (void)snprintf(why_not, sizeof why_not, "%s", vips.vips_error_buffer());
        return;
    }
    // Warnings would be written among our own output.
    vips.g_log_set_handler("VIPS", level_mask, (callback)drop, NULL);
    // Every picture is another one.
    vips.vips_cache_set_max(0);
    vips.vips_concurrency_set(1);
    // It can read some forty formats, some of them by programs such as ImageMagick. What a stranger sends gets six.
    vips.vips_operation_block_set("VipsForeignLoad", true);
    static const char *const formats[] = {
        "VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadNsgif", "VipsForeignLoadWebp", "VipsForeignLoadHeif",
    };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        vips.vips_operation_block_set(formats[i], false);
    }
    is_loaded = true;
}

const char *valise_vips_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
    return is_loaded ? NULL : why_not;
}

const char *valise_vips_try(const char *name) {
    static _Thread_local char reason[valise_reason_size];
    struct functions found;
    void *library = valise_library_open(&name, 1, reason);
    if (library == NULL) return reason;
    bool is_complete = resolve(library, &found, reason);
    (void)dlclose(library);
    return is_complete ? NULL : reason;
}

const char *valise_vips_version(void) { return vips.vips_version_string(); }

// Its first line, as the library says it: a failure in one place is often told again by those that asked.
static void take_reason(char *reason) {
    (void)snprintf(reason, VALISE_VIPS_REASON_SIZE, "%s", vips.vips_error_buffer());
    reason[strcspn(reason, "\n")] = 0;
    vips.vips_error_clear();
}

static int64_t now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

struct clock {
    int64_t end;
    bool has_ended;
};

static void watch(VipsImage *image, void *progress, struct clock *clock) {
    (void)progress;
    if (now() < clock->end) return;
    clock->has_ended = true;
    vips.vips_image_set_kill(image, true);
}

static bool is_set(VipsImage *image, const char *name) {
    int value = 0;
    return vips.vips_image_get_typeof(image, name) != 0 && vips.vips_image_get_int(image, name, &value) == 0 && value != 0;
}

static const char *text_of(VipsImage *image, const char *name) {
    const char *text = "";
    if (vips.vips_image_get_typeof(image, name) != 0) (void)vips.vips_image_get_string(image, name, &text);
    return text;
}

// In memory at once, where not a few rows are: a progressive JPEG as its coefficients, which have two bytes each, and of which
// there are half as many where colors have a quarter of the pixels.
static int64_t held_bytes(VipsImage *image, int64_t pixels) {
    const char *loader = text_of(image, "vips-loader");
    bool is_jpeg = strncmp(loader, "jpeg", 4) == 0;
    bool has_rows = is_jpeg || strncmp(loader, "png", 3) == 0;
    if (has_rows && !is_set(image, "interlaced") && !is_set(image, "jpeg-multiscan")) return 0;
    int64_t samples = pixels * vips.vips_image_get_bands(image);
    if (is_jpeg) return strcmp(text_of(image, "jpeg-chroma-subsample"), "4:2:0") == 0 ? samples : samples * 2;
    return samples * (int64_t)vips.vips_format_sizeof(vips.vips_image_get_format(image));
}

static int check(VipsImage *image, const struct valise_vips_limits *limits, struct valise_vips_picture *picture) {
    picture->read_width = vips.vips_image_get_width(image);
    picture->read_height = vips.vips_image_get_height(image);
    int64_t pixels = (int64_t)picture->read_width * picture->read_height;
    if (pixels > limits->most_pixels || held_bytes(image, pixels) > limits->most_held_bytes) return VALISE_VIPS_TOO_LARGE;
    if (vips.vips_image_get_orientation(image) >= first_swapped_orientation) {
        int width = picture->read_width;
        picture->read_width = picture->read_height;
        picture->read_height = width;
    }
    picture->pages = vips.vips_image_get_n_pages(image);
    return VALISE_VIPS_OK;
}

// A picture that ends too early is not prepared in part. The argument of that name is ignored by this function (libvips issue
// 5195), the option is not.
static int shrink(VipsSource *source, int longest, struct clock *clock, struct valise_vips_picture *picture) {
    VipsImage *small = NULL;
    if (vips.vips_thumbnail_source(
            source, &small, longest, "height", longest, "size", size_down, "export_profile", "srgb", "option_string",
            "[fail_on=error]", NULL)
        != 0) {
        return VALISE_VIPS_DAMAGED;
    }
    vips.vips_image_set_progress(small, true);
    vips.g_signal_connect_data(small, "eval", (callback)watch, clock, NULL, 0);
    VipsImage *whole = vips.vips_image_copy_memory(small);
    vips.g_object_unref(small);
    if (whole == NULL) return clock->has_ended ? VALISE_VIPS_TOO_SLOW : VALISE_VIPS_DAMAGED;
    picture->image = whole;
    picture->width = vips.vips_image_get_width(whole);
    picture->height = vips.vips_image_get_height(whole);
    picture->has_transparency = vips.vips_image_hasalpha(whole);
    return VALISE_VIPS_OK;
}

static int read_source(
    VipsSource *source, int longest, const struct valise_vips_limits *limits, struct valise_vips_picture *picture
) {
    struct clock clock = {.end = now() + limits->milliseconds};
    VipsImage *header = vips.vips_image_new_from_source(source, "", "access", access_sequential, NULL);
    if (header == NULL) return VALISE_VIPS_DAMAGED;
    int result = check(header, limits, picture);
    vips.g_object_unref(header);
    return result != VALISE_VIPS_OK ? result : shrink(source, longest, &clock, picture);
}

int valise_vips_read(
    int descriptor, const void *bytes, size_t size, int longest, const struct valise_vips_limits *limits,
    struct valise_vips_picture *picture, char *reason
) {
    *picture = (struct valise_vips_picture){0};
    (void)pthread_mutex_lock(&lock);
    VipsSource *source = descriptor >= 0 ? vips.vips_source_new_from_descriptor(descriptor)
                                         : vips.vips_source_new_from_memory(bytes, size);
    int result = source == NULL ? VALISE_VIPS_DAMAGED : read_source(source, longest, limits, picture);
    if (source != NULL) vips.g_object_unref(source);
    take_reason(reason);
    (void)pthread_mutex_unlock(&lock);
    return result;
}

void valise_vips_close(struct valise_vips_picture *picture) {
    if (picture->image == NULL) return;
    (void)pthread_mutex_lock(&lock);
    vips.g_object_unref(picture->image);
    (void)pthread_mutex_unlock(&lock);
    picture->image = NULL;
}

static VipsImage *made_opaque(VipsImage *image) {
    static const double white[] = {255, 255, 255};
    VipsArrayDouble *background = vips.vips_array_double_new(white, 3);
    VipsImage *opaque = NULL;
    (void)vips.vips_flatten(image, &opaque, "background", background, NULL);
    vips.vips_area_unref(background);
    return opaque;
}

static int save(VipsImage *image, int quality, void **bytes, size_t *size) {
    if (quality == 0) return vips.vips_pngsave_buffer(image, bytes, size, "strip", true, "compression", 9, NULL);
    if (!vips.vips_image_hasalpha(image)) {
        return vips.vips_jpegsave_buffer(
            image, bytes, size, "Q", quality, "strip", true, "optimize_coding", true, NULL);
    }
    VipsImage *opaque = made_opaque(image);
    if (opaque == NULL) return -1;
    int result = save(opaque, quality, bytes, size);
    vips.g_object_unref(opaque);
    return result;
}

int valise_vips_encode(
    const struct valise_vips_picture *picture, int longest, int quality, void **bytes, size_t *size, char *reason
) {
    (void)pthread_mutex_lock(&lock);
    int result = -1;
    VipsImage *small = NULL;
    if (vips.vips_thumbnail_image(
            picture->image, &small, longest, "height", longest, "size", size_down, NULL)
        == 0) {
        result = save(small, quality, bytes, size);
        vips.g_object_unref(small);
    }
    take_reason(reason);
    (void)pthread_mutex_unlock(&lock);
    return result == 0 ? VALISE_VIPS_OK : VALISE_VIPS_DAMAGED;
}

void valise_vips_free(void *bytes) { vips.g_free(bytes); }
