// What libFuzzer offers to a program that has its own main. The library comes with the Swift toolchain.
#ifndef VALISE_CFUZZER_H
#define VALISE_CFUZZER_H

#include <stddef.h>
#include <stdint.h>

// Weak: the tests have the targets without the library.
__attribute__((weak)) int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one)(const uint8_t *data, size_t size));

/// Mutates the bytes in place; returns how many there are then.
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

#endif
