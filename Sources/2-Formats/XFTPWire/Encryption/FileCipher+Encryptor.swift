import Synchronization
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
package import ValiseSecrets

extension FileCipher {
    /// Makes the encrypted file of a content, in order or at any place.
    ///
    /// The same key, nonce and layout give the same bytes: nothing has to be kept to begin again, or to make a chunk a
    /// second time. Several threads may ``encrypt(_:at:content:)`` at a time; ``absorb(_:)`` is for one at a time, in
    /// the order of the bytes.
    package final class Encryptor: Sendable {
        package let layout: EncryptedFileLayout
        private let stream: SecretBoxStream
        private let head: [UInt8]
        private let order = Mutex(InOrder())
        private let knownTag: [UInt8]?

        /// - Parameters:
        ///   - layout: how long the parts of the file are.
        ///   - key: fresh and random: it must never encrypt two different files under one nonce.
        ///   - nonce: 24 bytes.
        ///   - tag: where it is known from before, so that no bytes have to be absorbed to have the last ones.
        /// - Throws: `SecretsError` when no guarded memory is available; ``XFTPWireError`` for a nonce of another length.
        package init(_ layout: EncryptedFileLayout, key: SecretSeed, nonce: [UInt8], tag: [UInt8]? = nil)
            throws
        {
            try FileCipher.check(nonce: nonce)
            self.layout = layout
            knownTag = tag
            head = layout.head
            stream = try SecretBoxStream()
            stream.start(key: key, nonce: nonce)
        }

        /// What was absorbed.
        private struct InOrder: ~Copyable, Sendable {
            var digest: SHA512? = SHA512()
            var absorbed: Int64 = 0
            var tag: [UInt8]?
        }

        // MARK: At any place

        /// Fills a buffer with a piece of the encrypted file; the bytes of the tag are zeros unless it is known
        /// from the beginning: ``absorb(_:)`` writes them.
        ///
        /// - Parameters:
        ///   - buffer: lies in the file as a whole.
        ///   - offset: where the piece begins in the encrypted file.
        ///   - content: fills memory with content from an offset in it.
        /// - Throws: whatever `content` throws.
        package func encrypt(
            _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64,
            content: (UnsafeMutableRawBufferPointer, Int64) throws -> Void
        ) rethrows {
            precondition(
                offset >= 0 && offset + Int64(buffer.count) <= layout.encryptedSize,
                "piece outside its file")
            let piece = unsafe Piece(buffer, at: offset)
            let start = Int64(head.count)
            unsafe piece.part(from: 0, to: start) { part, offset in
                unsafe part.copyBytes(from: head[Int(offset)..<Int(offset) + part.count])
            }
            try unsafe piece.part(from: start, to: layout.paddingStart) { try unsafe content($0, $1 - start) }
            unsafe piece.part(from: layout.paddingStart, to: layout.tagStart) { part, _ in
                unsafe fill(part, UInt8(ascii: "#"))
            }
            unsafe piece.part(from: 0, to: layout.tagStart) { unsafe stream.exclusiveOr($0, at: $1) }
            unsafe piece.part(from: layout.tagStart, to: layout.encryptedSize) { part, _ in
                unsafe fill(part, 0)
            }
            if let knownTag { write(knownTag, to: piece) }
        }

        private func fill(_ part: UnsafeMutableRawBufferPointer, _ byte: UInt8) {
            unsafe part.initializeMemory(as: UInt8.self, repeating: byte)
        }

        private func write(_ tag: [UInt8], to piece: Piece) {
            unsafe piece.part(from: layout.tagStart, to: layout.encryptedSize) {
                [start = layout.tagStart] part, offset in
                unsafe part.copyBytes(from: tag[Int(offset - start)..<Int(offset - start) + part.count])
            }
        }

        // MARK: In order

        /// Takes the next encrypted bytes into tag and digest. Where the tag belongs among them, it is written.
        package func absorb(_ buffer: UnsafeMutableRawBufferPointer) {
            order.withLock { order in
                precondition(
                    order.absorbed + Int64(buffer.count) <= layout.encryptedSize,
                    "more bytes than the file has")
                let piece = unsafe Piece(buffer, at: order.absorbed)
                unsafe piece.part(from: 0, to: layout.tagStart) { part, _ in
                    unsafe stream.authenticate(UnsafeRawBufferPointer(part))
                }
                order.absorbed += Int64(buffer.count)
                if order.absorbed >= layout.tagStart, order.tag == nil { order.tag = stream.tag() }
                if let tag = order.tag { write(tag, to: piece) }
                unsafe order.digest?.update(UnsafeRawBufferPointer(buffer))
            }
        }

        /// 16 bytes, once all before it was absorbed, or where it was known from the beginning. For the thread that absorbs.
        package var tag: [UInt8]? { order.withLock { $0.tag } ?? knownTag }

        /// Fills a buffer with the next bytes of the encrypted file, and absorbs them.
        ///
        /// - Returns: how many bytes there were: as many as the buffer has, but at the end; 0 behind it.
        /// - Throws: whatever `content` throws.
        package func next(
            _ buffer: UnsafeMutableRawBufferPointer,
            content: (UnsafeMutableRawBufferPointer, Int64) throws -> Void
        ) rethrows -> Int {
            let absorbed = order.withLock { $0.absorbed }
            let count = Int(min(Int64(buffer.count), layout.encryptedSize - absorbed))
            let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            try unsafe encrypt(piece, at: absorbed, content: content)
            unsafe absorb(piece)
            return count
        }

        /// SHA-512 of the whole encrypted file, once all of it was absorbed; nil before. Call it once.
        package func finish() -> [UInt8]? {
            order.withLock { order in
                guard order.absorbed == layout.encryptedSize else { return nil }
                return order.digest.take()?.finalize()
            }
        }
    }

    static func check(nonce: [UInt8]) throws(XFTPWireError) {
        guard nonce.count == SecretBox.nonceByteCount else {
            throw XFTPWireError(.invalid, "wrong nonce length: expected 24 bytes, got \(nonce.count)")
        }
    }
}

/// A buffer that stands for a range of a file.
@safe struct Piece {
    private let buffer: UnsafeMutableRawBufferPointer
    private let offset: Int64

    init(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) {
        unsafe self.buffer = unsafe buffer
        self.offset = offset
    }

    /// Lends what of the buffer lies between two places of the file, with its own place; nothing where that is none.
    func part(
        from start: Int64, to end: Int64, _ body: (UnsafeMutableRawBufferPointer, Int64) throws -> Void
    ) rethrows {
        let first = max(start, offset)
        let last = unsafe min(end, offset + Int64(buffer.count))
        guard first < last else { return }
        try unsafe body(
            UnsafeMutableRawBufferPointer(rebasing: buffer[Int(first - offset)..<Int(last - offset)]), first)
    }
}
