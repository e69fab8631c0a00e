/// The cipher of whole files (fact sheet, §6.1, §6.2): the content with its length and name before it and padding
/// behind, under one key, with one tag at the end.
///
/// Bytes are worked on in place, in pieces of any size; 64 KiB and more are fast.
package enum FileCipher {}
