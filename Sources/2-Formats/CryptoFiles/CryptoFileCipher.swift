import SystemPackage
import ValiseConcurrency
package import ValiseCryptography
import ValiseFailures
package import ValiseFiles

/// Encrypts, decrypts and verifies whole files (SimpleX storage, §5): the content under XSalsa20, then 16 bytes of
/// tag. Memory does not grow with the file; large files are worked on by all cores.
///
/// The bytes of a decrypted file may be handed out before the tag is known: whoever calls keeps them from being
/// used until the call returns.
package struct CryptoFileCipher {
    /// How many bytes an encrypted file has more than its content.
    package static let overhead = Int64(SecretBox.tagByteCount)

    private let stream: SecretBoxStream
    private let workers: Int

    /// - Parameters:
    ///   - workers: how many threads work on one file.
    ///   - stream: used for all files, one after the other.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package init(workers: Int = ParallelBatches.workers, stream: SecretBoxStream? = nil) throws {
        self.workers = workers
        self.stream = try stream ?? SecretBoxStream()
    }

    /// Writes the encrypted form of a file.
    ///
    /// - Parameters:
    ///   - source: the content.
    ///   - target: an empty file.
    ///   - args: fresh ones: with the same, two files would give each other away.
    ///   - progress: gets the number of bytes done; throw to stop.
    /// - Throws: `FileError`; errors of the source; whatever `progress` throws.
    package func encrypt(
        _ source: any ByteSource, to target: ParallelWriter, _ args: CryptoFileArgs,
        progress: (Int64) throws -> Void = { _ in }
    ) throws {
        stream.start(args)
        try unsafe OrderedChunks.run(size: source.size, workers: workers) { [stream] chunk, offset in
            try unsafe source.fill(chunk, at: offset)
            unsafe stream.exclusiveOr(chunk, at: offset)
        } ordered: { [stream] chunk in
            unsafe stream.authenticate(UnsafeRawBufferPointer(chunk))
        } after: { chunk, offset in
            try unsafe target.write(UnsafeRawBufferPointer(chunk), at: offset)
            target.startWriteback(upTo: offset)
        } report: { done in
            try progress(done)
        }
        try write(stream.tag(), to: target, at: source.size)
    }

    private func write(_ tag: [UInt8], to target: ParallelWriter, at offset: Int64) throws {
        try unsafe tag.withUnsafeBytes { try unsafe target.write($0, at: offset) }
    }

    /// Writes the content of an encrypted file.
    ///
    /// - Parameters:
    ///   - source: the encrypted bytes.
    ///   - target: an empty file. Throw it away when this throws: what it holds was not proved.
    ///   - args: key and nonce.
    ///   - progress: sees how far it is; throw to stop.
    /// - Throws: ``CryptoFileError``: `damaged`; `FileError`; errors of the source; whatever `progress` throws.
    package func decrypt(
        _ source: any ByteSource, to target: ParallelWriter, _ args: CryptoFileArgs,
        progress: (Int64) throws -> Void = { _ in }
    ) throws {
        try unsafe decrypt(source, args, progress: progress) { chunk, offset in
            try unsafe target.write(chunk, at: offset)
            target.startWriteback(upTo: offset)
        }
    }

    /// Hands out the content of an encrypted file piece by piece, by several threads and in any order.
    /// - Throws: as ``decrypt(_:to:_:progress:)``; whatever `piece` throws.
    package func decrypt(
        _ source: any ByteSource, _ args: CryptoFileArgs, progress: (Int64) throws -> Void = { _ in },
        piece: @Sendable (UnsafeRawBufferPointer, Int64) throws -> Void
    ) throws {
        let tag = try tag(of: source)
        stream.start(args)
        try unsafe OrderedChunks.run(size: source.size - Self.overhead, workers: workers) { chunk, offset in
            try unsafe source.fill(chunk, at: offset)
        } ordered: { [stream] chunk in
            unsafe stream.authenticate(UnsafeRawBufferPointer(chunk))
        } after: { [stream] chunk, offset in
            unsafe stream.exclusiveOr(chunk, at: offset)
            try unsafe piece(UnsafeRawBufferPointer(chunk), offset)
        } report: { done in
            try progress(done)
        }
        guard stream.isTag(tag) else { throw CryptoFileError.invalidAuthTag(source.path) }
    }

    /// Proves that a file is whole and that these are its keys, without decrypting it.
    /// - Throws: ``CryptoFileError``: `damaged`; errors of the source; whatever `progress` throws.
    package func verify(
        _ source: any ByteSource, _ args: CryptoFileArgs, progress: (Int64) throws -> Void = { _ in }
    ) throws {
        let tag = try tag(of: source)
        stream.start(args)
        try unsafe OrderedChunks.run(size: source.size - Self.overhead, workers: workers) { chunk, offset in
            try unsafe source.fill(chunk, at: offset)
        } ordered: { [stream] chunk in
            unsafe stream.authenticate(UnsafeRawBufferPointer(chunk))
        } report: { done in
            try progress(done)
        }
        guard stream.isTag(tag) else { throw CryptoFileError.invalidAuthTag(source.path) }
    }

    private func tag(of source: any ByteSource) throws -> [UInt8] {
        guard source.size >= Self.overhead else { throw CryptoFileError.invalidFileSize(source.path) }
        var tag = [UInt8](repeating: 0, count: SecretBox.tagByteCount)
        try unsafe tag.withUnsafeMutableBytes { try unsafe source.fill($0, at: source.size - Self.overhead) }
        return tag
    }
}
