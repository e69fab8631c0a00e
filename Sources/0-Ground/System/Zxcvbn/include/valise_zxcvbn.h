#pragma once

/// How hard a passphrase is to guess, in bits.
/// Returns a negative number where nobody can tell, because no process or pipe is available.
double valise_passphrase_bits(const char *passphrase);
