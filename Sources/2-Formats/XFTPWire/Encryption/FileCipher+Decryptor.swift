import ValiseCryptography
import ValiseEncoding
import ValiseFailures
package import ValiseSecrets

extension FileCipher {
    /// Takes an encrypted file apart, in order: the header first, then the content, cut at its own size, so that no
    /// padding is left behind it.
    ///
    /// Content is handed out before the tag is known: whoever calls keeps it from being used until ``finish()`` returns.
    package final class Decryptor {
        /// What travels before the content, as soon as it is known.
        package private(set) var header: FileHeader?
        /// Of the content in bytes, as soon as the header is known.
        package private(set) var fileSize: Int64?

        private let size: Int64
        private let stream: SecretBoxStream
        private var digest: SHA512? = SHA512()
        private var position: Int64 = 0
        /// The first bytes unencrypted, until the header is known.
        private var head: [UInt8] = []
        private var contentLeft: Int64 = 0
        private var tag: [UInt8] = []

        /// - Parameters:
        ///   - size: of the encrypted file, in bytes.
        ///   - key: the secret of the file.
        ///   - nonce: 24 bytes.
        /// - Throws: ``XFTPWireError``: `damaged` for a size that no encrypted file has; `invalid` for a nonce of another
        ///   length; `SecretsError` when no guarded memory is available.
        package init(size: Int64, key: SecretSeed, nonce: [UInt8]) throws {
            try FileCipher.check(nonce: nonce)
            guard size >= EncryptedFileLayout.lengthByteCount + EncryptedFileLayout.tagByteCount else {
                throw XFTPWireError.encrypted("only \(Count.text(size, "byte"))")
            }
            self.size = size
            stream = try SecretBoxStream()
            stream.start(key: key, nonce: nonce)
        }

        private var tagStart: Int64 { size - EncryptedFileLayout.tagByteCount }

        /// Decrypts the next bytes where they are, and hands out what of them is content.
        ///
        /// - Throws: ``XFTPWireError``: `damaged` for more bytes than there should be, or no header; whatever `content`
        ///   throws.
        package func decrypt(
            _ buffer: UnsafeMutableRawBufferPointer, content: (UnsafeRawBufferPointer) throws -> Void
        ) throws {
            guard Int64(buffer.count) <= size - position else {
                throw XFTPWireError.encrypted("longer than its \(Count.text(size, "byte"))")
            }
            unsafe digest?.update(UnsafeRawBufferPointer(buffer))
            let piece = unsafe Piece(buffer, at: position)
            position += Int64(buffer.count)
            unsafe piece.part(from: tagStart, to: size) { part, _ in unsafe tag += part }
            try unsafe piece.part(from: 0, to: tagStart) { part, offset in
                unsafe stream.authenticate(UnsafeRawBufferPointer(part))
                unsafe stream.exclusiveOr(part, at: offset)
                try unsafe handOut(UnsafeRawBufferPointer(part), content)
            }
        }

        private func handOut(
            _ plain: UnsafeRawBufferPointer, _ content: (UnsafeRawBufferPointer) throws -> Void
        ) throws {
            var rest = unsafe plain
            if header == nil {
                let known = head.count
                unsafe head += rest.prefix(EncryptedFileLayout.headLimit - known)
                guard let headCount = try readHead() else { return }
                // What is behind the head in this piece; the head ends in it, or it would have been read before.
                unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[(headCount - known)...])
                head = []
            }
            let count = Int(min(Int64(rest.count), contentLeft))
            guard count > 0 else { return }
            contentLeft -= Int64(count)
            try unsafe content(UnsafeRawBufferPointer(rebasing: rest[..<count]))
        }

        /// - Returns: how many bytes are before the content; nil where more are needed to tell.
        private func readHead() throws(XFTPWireError) -> Int? {
            let lengthCount = Int(EncryptedFileLayout.lengthByteCount)
            guard head.count >= lengthCount else { return nil }
            let length = head[..<lengthCount].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard let inner = Int64(exactly: length), inner <= tagStart - Int64(lengthCount) else {
                throw .encrypted("invalid length at its start, or wrong key")
            }
            guard let (header, count) = try FileHeader.decode(head[lengthCount...]) else {
                guard head.count < EncryptedFileLayout.headLimit, Int64(head.count) < tagStart else {
                    throw .encrypted("unterminated header")
                }
                return nil
            }
            guard Int64(count) <= inner else { throw .encrypted("header longer than the file") }
            self.header = header
            fileSize = inner - Int64(count)
            contentLeft = inner - Int64(count)
            return lengthCount + count
        }

        /// Proves that these were all bytes, and that nobody changed one.
        ///
        /// - Returns: the header, and SHA-512 of the encrypted file.
        /// - Throws: ``XFTPWireError``: `damaged`. What was handed out is worth nothing then.
        package func finish() throws(XFTPWireError) -> (header: FileHeader, digest: [UInt8]) {
            guard position == size, let digest = digest.take()?.finalize() else {
                throw .encrypted("it ends after \(position) of \(Count.text(size, "byte"))")
            }
            guard stream.isTag(tag) else {
                throw .encrypted("authentication failed: the file was changed, or the key is wrong")
            }
            guard let header, contentLeft == 0 else { throw .encrypted("no header") }
            return (header, digest)
        }
    }
}

extension EncryptedFileLayout {
    /// Enough for the length and any header.
    static let headLimit = Int(lengthByteCount) + FileHeader.largestByteCount
}

extension XFTPWireError {
    static func encrypted(_ defect: String) -> XFTPWireError {
        XFTPWireError(.damaged, "the encrypted file is damaged: \(defect)")
    }
}
