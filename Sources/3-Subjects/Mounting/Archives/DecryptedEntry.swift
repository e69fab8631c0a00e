import Synchronization
import SystemPackage
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles

/// An encrypted medium, decrypted. Messages with different keys may have the file; its tag says which fits.
final class DecryptedEntry: VerifiedSource {
    private let source: any ByteSource
    private let keys: [CryptoFileArgs]
    /// With the keys that fit, once it is verified.
    private let content = Mutex<CryptoFileContent?>(nil)

    var size: Int64 { source.size - CryptoFileCipher.overhead }
    var path: FilePath { source.path }

    init(_ source: any ByteSource, _ keys: [CryptoFileArgs]) {
        self.source = source
        self.keys = keys
    }

    /// - Throws: `CryptoFileError`: `damaged` where none fits; ``MountError``: `damaged` where the database has no usable key;
    ///   errors of the source; whatever `checkpoint` throws.
    func verify(checkpoint: () throws -> Void) throws { _ = try verified(checkpoint) }

    private func verified(_ checkpoint: () throws -> Void) throws -> CryptoFileContent {
        try content.withLock { content in
            if let content { return content }
            var problem: any Error = MountError(.damaged, "its key in the database is incomplete", path)
            for args in keys {
                let candidate = try CryptoFileContent(source, args)
                do {
                    try candidate.verify { _ in try checkpoint() }
                    content = candidate
                    return candidate
                } catch let error as CryptoFileError where error.kind == .invalidAuthTag {
                    problem = error
                }
            }
            throw problem
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        try unsafe verified {}.read(into: buffer, at: offset)
    }
}
