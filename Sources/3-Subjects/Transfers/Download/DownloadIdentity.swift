import ValiseCryptography
import ValiseSecrets
import ValiseXFTPWire

/// By what a later run knows that it is to receive what an interrupted one began with: the same descriptions but for the
/// names of recipients.
enum DownloadIdentity {
    /// - Parameter descriptions: as they were given; what a redirect leads to is proved by its digest.
    /// - Returns: 32 bytes.
    static func of(_ descriptions: [FileDescription]) -> [UInt8] {
        var hash = SHA256()
        for description in descriptions {
            update(&hash, description.digest)
            update(&hash, description.redirect?.digest ?? [])
            unsafe description.key.withBytes { unsafe hash.update($0) }
            update(&hash, description.nonce)
            for chunk in description.chunks { update(&hash, chunk.digest) }
        }
        return hash.finalize()
    }

    private static func update(_ hash: inout SHA256, _ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe hash.update($0) }
    }
}
