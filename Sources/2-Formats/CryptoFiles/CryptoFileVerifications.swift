import CValiseSodium
import Synchronization
import ValiseFiles

/// Remembers which files were proved whole under which key, as long as the files stay what they were.
///
/// Of a key only a hash is kept, under a secret of this process.
package final class CryptoFileVerifications: Sendable {
    /// The one that all readers of a process use unless told otherwise.
    package static let shared = CryptoFileVerifications()

    private struct Place: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    private struct Proof: Equatable {
        let identity: CryptoFileIdentity
        let fingerprint: [UInt8]
    }

    private let proofs = Mutex<[Place: Proof]>([:])
    private let secret: [UInt8]
    private let capacity: Int
    private let passes = Atomic(0)

    /// - Parameter capacity: of how many files; when more come, all are forgotten.
    package init(capacity: Int = 4096) {
        self.capacity = max(1, capacity)
        var secret = [UInt8](repeating: 0, count: Int(crypto_generichash_KEYBYTES))
        unsafe randombytes_buf(&secret, secret.count)
        self.secret = secret
    }

    /// How many files were read as a whole to prove them.
    package var passCount: Int { passes.load(ordering: .relaxed) }

    /// Forgets everything.
    package func removeAll() { proofs.withLock { $0.removeAll() } }

    func contains(_ identity: CryptoFileIdentity, _ fingerprint: [UInt8]) -> Bool {
        proofs.withLock { $0[Self.place(identity)] } == Proof(identity: identity, fingerprint: fingerprint)
    }

    func insert(_ identity: CryptoFileIdentity, _ fingerprint: [UInt8]) {
        passes.add(1, ordering: .relaxed)
        let proof = Proof(identity: identity, fingerprint: fingerprint)
        proofs.withLock { proofs in
            if proofs.count >= capacity { proofs.removeAll() }
            proofs[Self.place(identity)] = proof
        }
    }

    private static func place(_ identity: CryptoFileIdentity) -> Place {
        Place(device: identity.device, inode: identity.inode)
    }

    /// What is kept of a key and its nonce.
    func fingerprint(_ args: CryptoFileArgs) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Int(crypto_generichash_BYTES))
        unsafe args.withBytes { key, nonce in
            // They lie behind each other in guarded memory.
            let start = unsafe key.baseAddress!.assumingMemoryBound(to: UInt8.self)
            _ = unsafe crypto_generichash(
                &hash, hash.count, start, UInt64(key.count + nonce.count), secret, secret.count)
        }
        return hash
    }
}

/// What changes when a file is written to.
struct CryptoFileIdentity: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let modified: Moment
    let changed: Moment

    struct Moment: Equatable, Sendable {
        let seconds: Int64
        let nanoseconds: Int64
    }

    init(_ attributes: FileAttributes) {
        device = attributes.device
        inode = attributes.inode
        size = attributes.size
        modified = Moment(
            seconds: attributes.modificationTime, nanoseconds: attributes.modificationNanoseconds)
        changed = Moment(seconds: attributes.changeTime, nanoseconds: attributes.changeNanoseconds)
    }
}
