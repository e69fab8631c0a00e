package import ValiseCryptography

/// What a digest is for, where it is not the name of a chunk or the digest of a file: its text and a zero come before the bytes.
package enum DigestLabel: String, Sendable, CaseIterable {
    /// The object of an indexed manifest, since 0.12.17; of exactly its bytes.
    case manifest = "tcfs-sync-manifest-object-v1"
    /// What a symbolic link is; of the text that it points to.
    case symbolicLink = "tcfs-symlink-v1"
    /// The object that reserves a name; of the folded path.
    case reservation = "tcfs-portable-namespace-reservation-v1"

    /// - Throws: `CryptographyError` where libblake3 cannot be loaded.
    package func digest(of bytes: [UInt8]) throws(CryptographyError) -> ContentDigest {
        var hash = try BLAKE3()
        hash.update(Array(rawValue.utf8) + [0])
        hash.update(bytes)
        return ContentDigest(digest: hash.finalize())
    }
}
