import ValiseCryptography

/// How the chunks of one file are encrypted: a nonce, the encrypted bytes, a tag, bound to the file's digest and their place.
///
/// The number of chunks is not bound: size and digest of the whole file tell whether some are missing.
package struct ChunkSealing: Sendable {
    private let key: ContentKey
    private let file: [UInt8]

    /// How many bytes a chunk becomes longer.
    package static let overhead = XChaCha20Poly1305.nonceByteCount + XChaCha20Poly1305.tagByteCount

    /// - Parameters:
    ///   - key: of the file.
    ///   - file: the digest of its unencrypted content.
    package init(key: ContentKey, file: ContentDigest) {
        self.key = key
        self.file = file.bytes
    }

    private func additional(_ index: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: UInt64(index) >> UInt64(56 - 8 * $0)) } + file
    }

    // MARK: Writing

    /// The object of a chunk.
    /// - Parameter index: its place in the file, from 0.
    package func seal(_ chunk: UnsafeRawBufferPointer, index: Int) -> [UInt8] {
        unsafe seal(chunk, index: index, nonce: XChaCha20Poly1305.randomNonce())
    }

    func seal(_ chunk: UnsafeRawBufferPointer, index: Int, nonce: [UInt8]) -> [UInt8] {
        var object: [UInt8] = []
        object.reserveCapacity(chunk.count + Self.overhead)
        unsafe lay(chunk, into: &object)
        sealInPlace(&object, index: index, nonce: nonce)
        return object
    }

    /// Adds a chunk to an empty object, with room for what encryption adds.
    func lay(_ chunk: UnsafeRawBufferPointer, into object: inout [UInt8]) {
        object.append(contentsOf: repeatElement(0, count: XChaCha20Poly1305.nonceByteCount))
        unsafe object.append(contentsOf: chunk)
        object.append(contentsOf: repeatElement(0, count: XChaCha20Poly1305.tagByteCount))
    }

    /// Encrypts a chunk where it lies.
    func sealInPlace(_ object: inout [UInt8], index: Int, nonce: [UInt8] = XChaCha20Poly1305.randomNonce()) {
        unsafe object.withUnsafeMutableBytes { object in
            unsafe object.copyBytes(from: nonce)
            let sealed = unsafe UnsafeMutableRawBufferPointer(rebasing: object[nonce.count...])
            unsafe XChaCha20Poly1305.seal(
                UnsafeRawBufferPointer(rebasing: sealed.dropLast(XChaCha20Poly1305.tagByteCount)),
                into: sealed, key: key.secret,
                nonce: UnsafeRawBufferPointer(rebasing: object[..<nonce.count]), additional: additional(index)
            )
        }
    }

    // MARK: Reading

    /// Writes the chunk of an object.
    ///
    /// - Parameters:
    ///   - object: what is stored, whose digest is its name.
    ///   - index: the place of the chunk in the file, from 0.
    ///   - chunk: exactly ``overhead`` bytes shorter.
    /// - Throws: ``ContentStoreError``: `damaged` where the object is too short, `wrongKey` where it is not the chunk of this
    ///   place in this file under this key. No plaintext is there then.
    package func open(
        _ object: UnsafeRawBufferPointer, index: Int, into chunk: UnsafeMutableRawBufferPointer
    ) throws(ContentStoreError) {
        guard object.count >= Self.overhead, chunk.count == object.count - Self.overhead else {
            throw ContentStoreError(.damaged, "the encrypted chunk is too short")
        }
        let nonceSize = XChaCha20Poly1305.nonceByteCount
        let isOpen = unsafe XChaCha20Poly1305.open(
            UnsafeRawBufferPointer(rebasing: object[nonceSize...]), into: chunk, key: key.secret,
            nonce: UnsafeRawBufferPointer(rebasing: object[..<nonceSize]), additional: additional(index))
        guard isOpen else {
            throw ContentStoreError(
                .wrongKey, "chunk \(index) does not open with the key of the file, or is one of another place"
            )
        }
    }

    /// The chunk of an object.
    /// - Throws: ``ContentStoreError``, as the other form does.
    package func open(_ object: [UInt8], index: Int) throws(ContentStoreError) -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: max(0, object.count - Self.overhead))
        var failure: ContentStoreError?
        unsafe chunk.withUnsafeMutableBytes { chunk in
            unsafe object.withUnsafeBytes { object in
                do throws(ContentStoreError) {
                    try unsafe open(object, index: index, into: chunk)
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
        return chunk
    }
}
