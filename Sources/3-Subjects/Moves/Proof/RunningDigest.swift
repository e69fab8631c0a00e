import ValiseCryptography
import ValiseDatabase

/// A SHA-256 over values.
final class RunningDigest {
    private final class Hash {
        var digest: SHA256? = SHA256()
    }

    private let hash: Hash
    let encoder: RowEncoder

    init() {
        let hash = Hash()
        self.hash = hash
        encoder = unsafe RowEncoder { unsafe hash.digest?.update($0) }
    }

    /// Of everything so far, once.
    func finalize() -> [UInt8] {
        encoder.flush()
        return hash.digest.take()?.finalize() ?? []
    }
}
