import Synchronization
import ValiseCryptography
import ValiseSecrets

@testable import ValiseXFTPWire

/// Keys of ascending bytes, as the vectors have them.
enum TestKeys {
    static func seed(from first: UInt8) throws -> SecretSeed {
        try SecretSeed(copying: Array(first..<first + 32))
    }

    static func signing(from first: UInt8) throws -> PublicKey {
        PublicKey(.ed25519, Ed25519.publicKey(of: try seed(from: first)))
    }

    static func agreement(from first: UInt8) throws -> PublicKey {
        PublicKey(.x25519, X25519.publicKey(of: try seed(from: first)))
    }
}

/// Another key with each call.
final class SequentialKeys: Sendable {
    private let count = Mutex<UInt8>(0)

    @Sendable func next() throws -> SecretSeed {
        try TestKeys.seed(
            from: count.withLock { count in
                count += 1
                return count
            })
    }
}
