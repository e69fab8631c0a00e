package import SystemPackage
import ValiseCryptography

/// Decrypts a file that comes piece by piece, in pieces of any size, and knows its end only when it is there.
///
/// What it hands out is proved only when ``finish()`` returns: keep it from being used until then.
package struct CryptoFileDecryptor: ~Copyable {
    private let stream: SecretBoxStream
    private let name: FilePath
    /// The last bytes until now, which may be the tag.
    private var held: [UInt8] = []
    /// How many bytes of content were handed out until now.
    package private(set) var count: Int64 = 0

    /// - Parameters:
    ///   - args: key and nonce.
    ///   - name: what errors call the file.
    /// - Throws: `SecretsError` when no guarded memory is available.
    package init(_ args: CryptoFileArgs, name: FilePath) throws {
        self.name = name
        stream = try SecretBoxStream()
        stream.start(args)
    }

    /// Takes the next piece, and leaves content in its place.
    ///
    /// - Parameter bytes: an encrypted piece.
    /// - Returns: the part of `bytes` that holds content now, at their start.
    package mutating func update(_ bytes: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer {
        let ready = max(0, held.count + bytes.count - SecretBox.tagByteCount)
        let fromHeld = min(held.count, ready)
        let fromBytes = ready - fromHeld
        let rest = unsafe held[fromHeld...] + bytes[fromBytes...]
        if fromBytes > 0 {
            unsafe (bytes.baseAddress! + fromHeld).copyMemory(from: bytes.baseAddress!, byteCount: fromBytes)
        }
        unsafe bytes.copyBytes(from: held[..<fromHeld])
        held = Array(rest)
        let content = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<ready])
        unsafe stream.authenticate(UnsafeRawBufferPointer(content))
        unsafe stream.exclusiveOr(content, at: count)
        count += Int64(ready)
        return UnsafeRawBufferPointer(content)
    }

    /// Proves what was handed out.
    /// - Throws: ``CryptoFileError``: `damaged`.
    package consuming func finish() throws(CryptoFileError) {
        guard held.count == SecretBox.tagByteCount else { throw .invalidFileSize(name) }
        guard stream.isTag(held) else { throw .invalidAuthTag(name) }
    }
}
