import CValiseSodium
import ValiseEncoding
package import ValiseSecrets

/// How dear it is to try a password: the three numbers of scrypt.
package struct ScryptParameters: Hashable, Sendable {
    /// A power of two.
    package let n: Int
    package let r: Int
    package let p: Int

    /// The most memory that a key file may ask for. Others write 32 to 128 MiB.
    package static let largestMemory = 1 << 30
    package static let largestParallelism = 64
    /// The most memory times repetitions: about half a minute. A stranger's key file would hold a program up for minutes.
    private static let largestWork = 16 << 30
    /// Of a block of r = 1, in bytes.
    private static let blockSize = 128

    /// - Throws: ``RepositoryError``: `damaged` for numbers that scrypt does not take, `unsupported` for those that would take
    ///   more memory or time than any program asks for.
    package init(n: Int64, r: Int64, p: Int64) throws(RepositoryError) {
        guard n >= 2, n & (n - 1) == 0, r >= 1, p >= 1 else {
            throw RepositoryError(.damaged, "the key derivation parameters are invalid")
        }
        let (cells, overflow) = n.multipliedReportingOverflow(by: r)
        guard !overflow, cells <= Int64(Self.largestMemory / Self.blockSize),
            p <= Int64(Self.largestParallelism), cells * p <= Int64(Self.largestWork / Self.blockSize),
            let n = Int(exactly: n), let r = Int(exactly: r), let p = Int(exactly: p)
        else {
            throw RepositoryError(
                .unsupported, "the key derivation needs too much memory or time (N \(n), r \(r), p \(p))")
        }
        (self.n, self.r, self.p) = (n, r, p)
    }

    /// For numbers that are known to be valid.
    private init(valid n: Int, _ r: Int, _ p: Int) { (self.n, self.r, self.p) = (n, r, p) }

    /// How much memory a derivation takes, in bytes.
    package var memory: Int { Self.blockSize * n * r }

    /// The key that a password has with these numbers and this salt.
    ///
    /// - Parameter password: UTF-8, as it was typed: other programs do not normalize it.
    /// - Throws: ``RepositoryError``: `failed` where there is not enough memory; `SecretsError`.
    package func key(_ password: borrowing SecretBytes, salt: [UInt8]) throws -> MasterKey {
        let parts = try unsafe SecretBytes(capacity: MasterKey.size) { memory in
            let result = unsafe password.withBytes { password in
                unsafe crypto_pwhash_scryptsalsa208sha256_ll(
                    password.baseAddress!.assumingMemoryBound(to: UInt8.self), password.count, salt,
                    salt.count, UInt64(n), UInt32(r), UInt32(p),
                    memory.baseAddress!.assumingMemoryBound(to: UInt8.self), memory.count)
            }
            guard result == 0 else {
                throw RepositoryError(
                    .failed,
                    "cannot derive a key from the password (memory: \(Count.bytes(Int64(self.memory))))")
            }
            return memory.count
        }
        return try MasterKey(parts)
    }
}

extension ScryptParameters {
    /// The most memory for keys of our own, which have to be opened on small machines, too.
    private static let ownMemory = 60 << 20
    private static let ownBlocks = 8
    /// A faster machine is no reason to lock slower ones out.
    private static let ownParallelism = 1...32

    /// Numbers that take about so long on this machine and at most 60 MiB: those of restic, which needs half a second for them.
    ///
    /// - Parameters:
    ///   - duration: of one derivation.
    ///   - measure: how long one takes; another one in tests.
    /// - Throws: as ``key(_:salt:)``.
    package static func calibrated(
        to duration: Duration = .milliseconds(350),
        measuring measure: (ScryptParameters) throws -> Duration = { try $0.measure() }
    ) throws -> ScryptParameters {
        var n = 2
        while blockSize * ownBlocks * n * 2 <= ownMemory { n *= 2 }
        let once = try measure(ScryptParameters(valid: n, ownBlocks, 1))
        guard once > .zero else { return ScryptParameters(valid: n, ownBlocks, ownParallelism.upperBound) }
        let times = min(max((duration / once).rounded(), 1), Double(ownParallelism.upperBound))
        return ScryptParameters(valid: n, ownBlocks, Int(times))
    }

    /// How long a derivation takes now.
    package func measure() throws -> Duration {
        let password = try SecretBytes.empty()
        let start = ContinuousClock.now
        _ = try key(password, salt: [UInt8](repeating: 0, count: KeyFile.saltSize))
        return ContinuousClock.now - start
    }
}
