import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseXFTPWire

/// Whether a body that comes in is what was announced: for implementations of ``IncomingBody``.
package struct BodyCheck: ~Copyable, Sendable {
    private let size: UInt32
    private let digest: [UInt8]
    private var hash = SHA256()
    private var count: Int64 = 0

    /// - Parameters:
    ///   - size: that was announced, in bytes.
    ///   - digest: SHA-256 that was announced.
    package init(size: UInt32, digest: [UInt8]) {
        self.size = size
        self.digest = digest
    }

    /// - Throws: ``XFTPStoreError``, answer `SIZE`, where this is more than was announced.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) throws(XFTPStoreError) {
        count += Int64(bytes.count)
        guard count <= Int64(size) else { throw wrongSize }
        unsafe hash.update(bytes)
    }

    /// - Throws: ``XFTPStoreError``, answers `SIZE`, `DIGEST`, where all that came is not what was announced.
    package consuming func finish() throws(XFTPStoreError) {
        guard count == Int64(size) else { throw wrongSize }
        let digest = digest
        guard hash.finalize() == digest else {
            throw XFTPStoreError(
                .damaged,
                "the chunk's digest does not match the announced one. The chunk was discarded.",
                answer: .digest)
        }
    }

    private var wrongSize: XFTPStoreError {
        XFTPStoreError(
            .damaged,
            "the chunk does not have the announced \(Count.text(size, "byte")). The chunk was discarded.",
            answer: .size)
    }
}
