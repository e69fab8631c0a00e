import Synchronization
package import SystemPackage
import ValiseCryptography
import ValiseFailures
package import ValiseFiles
import ValiseSecrets

/// The content of an encrypted file, or of an entry of an archive, read at any place by any thread.
///
/// The whole is verified once, before the first byte is given. The source stays open meanwhile, so that whatever gets its name
/// later is another file. For a file that somebody may write to while it is read there is ``CryptoFileReader``.
package final class CryptoFileContent: ByteSource {
    package let size: Int64
    private let source: any ByteSource
    private let args: CryptoFileArgs
    private let stream: SecretBoxStream
    private let isVerified = Mutex(false)

    package var path: FilePath { source.path }

    /// - Parameters:
    ///   - source: the encrypted bytes.
    ///   - args: key and nonce.
    /// - Throws: `CryptoFileError` where it is too short to be one; `SecretsError`.
    package init(_ source: any ByteSource, _ args: CryptoFileArgs) throws {
        guard source.size >= CryptoFileCipher.overhead else {
            throw CryptoFileError.invalidFileSize(source.path)
        }
        self.source = source
        self.args = args
        size = source.size - CryptoFileCipher.overhead
        stream = try SecretBoxStream()
        stream.start(args)
    }

    /// Verifies it, if it is not verified yet. Others wait for the one that does.
    /// - Parameter progress: gets the number of bytes done; throw to stop.
    /// - Throws: `CryptoFileError`: `damaged`; errors of the source; whatever `progress` throws.
    package func verify(progress: (Int64) throws -> Void = { _ in }) throws {
        try isVerified.withLock { isVerified in
            guard !isVerified else { return }
            try CryptoFileCipher().verify(source, args, progress: progress)
            isVerified = true
        }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        try verify()
        guard offset >= 0, offset < size else { return 0 }
        let count = Int(min(Int64(buffer.count), size - offset))
        let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        try unsafe source.fill(piece, at: offset)
        unsafe stream.exclusiveOr(piece, at: offset)
        return count
    }
}
