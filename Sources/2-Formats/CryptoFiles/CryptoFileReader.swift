import Synchronization
public import SystemPackage
import ValiseConcurrency
import ValiseCryptography
import ValiseFailures
package import ValiseFiles
public import ValiseSecrets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads any part of an encrypted file without decrypting the rest, for players and previews; by several threads.
///
/// Before the first byte is given the whole file is proved once. The result holds while the file's identity (place,
/// size, times) stays the same, which is looked at before and after each piece; a changed file is proved again.
///
/// Its functions block. No command needs it: it is for an app that shows pictures and plays videos.
public final class CryptoFileReader: Sendable {
    private let source: FileSource
    private let args: CryptoFileArgs
    private let stream: SecretBoxStream
    private let verifications: CryptoFileVerifications
    private let fingerprint: [UInt8]
    private let workers: Int
    private let proving = Mutex(())

    private static let attempts = 3

    /// - Parameters:
    ///   - path: links are followed.
    ///   - args: key and nonce.
    ///   - verifications: where proofs are remembered.
    ///   - fileSystem: where files are read and written.
    ///   - workers: how many threads share the work.
    /// - Throws: `FileError`; `SecretsError`.
    package init(
        _ path: FilePath, _ args: CryptoFileArgs, verifications: CryptoFileVerifications = .shared,
        fileSystem: FileSystem = FileSystem(), workers: Int = ParallelBatches.workers
    ) throws {
        source = try FileSource(fileSystem.resolve(path), fileSystem: fileSystem)
        stream = try SecretBoxStream()
        stream.start(args)
        self.args = args
        self.verifications = verifications
        self.workers = workers
        fingerprint = verifications.fingerprint(args)
    }

    /// The key is given as text.
    ///
    /// - Parameters:
    ///   - path: links are followed.
    ///   - key: JSON with `fileKey` and `fileNonce`, as `EncryptFile` writes it, or `key=… nonce=…`.
    /// - Throws: `FileError`; `CryptoFileError` with `invalid` for a text without a key; `SecretsError`.
    public convenience init(_ path: FilePath, key: borrowing SecretBytes) throws {
        try self.init(path, CryptoFileArgs(text: key))
    }

    /// What errors call the file.
    package var path: FilePath { source.path }

    /// How many bytes of content there are at this moment.
    /// - Throws: `FileError`; `CryptoFileError` for a file that is too short to be one.
    public func contentSize() throws -> Int64 { try contentSize(identity()) }

    /// Proves the file now, if it is not proved yet.
    ///
    /// - Parameter progress: gets the number of bytes done; throw to stop.
    /// - Throws: ``CryptoFileError``: `damaged`; `FileError`: `inUse` while somebody writes to it.
    package func verify(progress: (Int64) throws -> Void = { _ in }) throws {
        try withProvedFile(progress) { _ in }
    }

    /// Up to `count` bytes of the content: fewer only where it ends.
    /// - Throws: `CryptoFileError`: `damaged`, `invalid` for a place before the start; `FileError`: `inUse`
    ///   while somebody writes to the file.
    public func read(at offset: Int64, count: Int) throws -> [UInt8] {
        let rest = try contentSize() - max(0, offset)
        return try unsafe [UInt8](unsafeUninitializedCapacity: Int(max(0, min(Int64(count), rest)))) {
            buffer, filled in
            filled = try unsafe read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
        }
    }

    /// Fills the buffer with content from `offset`: fewer bytes only where it ends.
    /// - Returns: how many.
    /// - Throws: as ``read(at:count:)``. What is in the buffer then was not proved, and is wiped.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0 else {
            throw CryptoFileError(.invalid, "offset before the start of the file", path)
        }
        do {
            return try withProvedFile({ _ in }) { identity in
                let count = Int(max(0, min(Int64(buffer.count), try contentSize(identity) - offset)))
                // Far behind the end, not even the place in the key stream can be calculated.
                guard count > 0 else { return 0 }
                let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
                try unsafe source.fill(piece, at: offset)
                unsafe stream.exclusiveOr(piece, at: offset)
                return count
            }
        } catch {
            unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0)
            throw error
        }
    }

    /// Does `body` between two looks at the file that see the same proved one.
    private func withProvedFile<Result>(
        _ progress: (Int64) throws -> Void, _ body: (CryptoFileIdentity) throws -> Result
    ) throws -> Result {
        for _ in 0..<Self.attempts {
            let before = try identity()
            guard try prove(before, progress) else { continue }
            let result = Swift.Result { try body(before) }
            if try identity() == before { return try result.get() }
        }
        throw FileError(.inUse, "file is being changed while it is read", path)
    }

    /// - Returns: whether it is proved; not where it changed meanwhile.
    private func prove(
        _ identity: CryptoFileIdentity, _ progress: (Int64) throws -> Void
    ) throws -> Bool {
        // One at a time: the others find the proof when it is their turn.
        try proving.withLock { _ in
            if verifications.contains(identity, fingerprint) { return true }
            Self.waitUntilSettled(identity)
            let whole = PartialSource(0..<max(0, identity.size), of: source, path: path)
            let outcome = Result {
                try CryptoFileCipher(workers: workers).verify(whole, args, progress: progress)
            }
            guard try self.identity() == identity else { return false }
            try outcome.get()
            verifications.insert(identity, fingerprint)
            return true
        }
    }

    private func identity() throws(FileError) -> CryptoFileIdentity {
        CryptoFileIdentity(try source.attributes())
    }

    private func contentSize(_ identity: CryptoFileIdentity) throws -> Int64 {
        guard identity.size >= CryptoFileCipher.overhead else { throw CryptoFileError.invalidFileSize(path) }
        return identity.size - CryptoFileCipher.overhead
    }

    // MARK: Time

    /// Times of files go in steps: two writes within one cannot be told apart. Waits until the last one is over.
    private static func waitUntilSettled(_ identity: CryptoFileIdentity) {
        // Times without a fraction come from file systems that have none; some count in pairs of seconds.
        let step: Int64 = identity.changed.nanoseconds == 0 ? 2_000_000_000 : 20_000_000
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let age =
            (Int64(now.tv_sec) &- identity.changed.seconds).multipliedReportingOverflow(by: 1_000_000_000)
        guard !age.overflow else { return }
        let passed = age.partialValue + Int64(now.tv_nsec) - identity.changed.nanoseconds
        guard passed < step else { return }
        var pause = timespec()
        // A clock that was set back, or another machine's, is not waited for.
        let rest = min(step, step - passed)
        pause.tv_sec = Int(rest / 1_000_000_000)
        pause.tv_nsec = Int(rest % 1_000_000_000)
        unsafe nanosleep(&pause, nil)
    }
}
