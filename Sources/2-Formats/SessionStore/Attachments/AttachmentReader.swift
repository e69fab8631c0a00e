package import ValiseFiles
package import ValiseSecrets

/// Decrypts attachments of one form with one key, with bounded memory.
///
/// Nothing is handed out before all of it was verified: a file has its name only then, and what goes to a closure is verified
/// in a first pass. That holds for the one-message form too, whose authenticator is at its end: it is read in pieces instead
/// of in one call with all of it in memory, as libsodium does. A second pass that finds something changed ends with an error.
package struct AttachmentReader: Sendable {
    /// Gets the next piece of the content, lent for the call.
    package typealias Taking = (UnsafeRawBufferPointer) throws -> Void
    /// Gets the number of bytes of the file that were read; throw to stop.
    package typealias Progress = (Int64) throws -> Void

    package let form: AttachmentForm
    private let decryption: any AttachmentDecryption
    /// The largest file, in bytes.
    private let limit: Int64

    /// - Parameters:
    ///   - form: how the attachment is encrypted.
    ///   - key: nil where none is known.
    ///   - digest: SHA-256 of the whole file, as the message says it; only the legacy form has one. An empty one is none.
    ///   - size: of the content, as the message says it; only the legacy form is cut to it. 0 where it is unknown.
    ///   - limit: the largest file that is read, in bytes.
    /// - Throws: ``SessionStoreError``: `noKey`, `wrongKey` for a key of another length, `invalid` for a negative size;
    ///   `SecretsError` when no guarded memory is available.
    package init(
        _ form: AttachmentForm, key: SharedSecret?, digest: [UInt8]? = nil, size: Int64 = 0,
        limit: Int64 = .max
    ) throws {
        guard let key else { throw AttachmentError.noKey() }
        guard key.bytes.count == form.keyByteCount else {
            throw AttachmentError.keyLength(key.bytes.count, form.keyByteCount)
        }
        guard size >= 0 else { throw SessionStoreError(.invalid, "an attachment has no negative size") }
        self.form = form
        self.limit = limit
        decryption =
            switch form {
            case .legacy:
                LegacyAttachment(key: key, digest: digest?.isEmpty == true ? nil : digest, size: size)
            case .stream: StreamAttachment(key: try key.seed())
            case .local: LocalAttachment(key: try key.seed())
            }
    }

    /// Verifies all of an attachment, and gives nothing out.
    /// - Returns: the size of its content, in bytes.
    /// - Throws: ``SessionStoreError``: `wrongKey`, `damaged`, `unsupported` for a file over the limit; errors of the source;
    ///   whatever `progress` throws.
    @discardableResult
    package func verify(_ source: any ByteSource, progress: Progress = { _ in }) throws -> Int64 {
        try unsafe pass(source, progress) { _ in }
    }

    /// Decrypts an attachment that is verified first, and so read twice.
    ///
    /// - Parameters:
    ///   - source: the encrypted file.
    ///   - progress: of the second pass; it is called with 0 in the first.
    ///   - take: gets the content in order.
    /// - Returns: the size of the content, in bytes.
    /// - Throws: as ``verify(_:progress:)``; whatever `take` throws. A `damaged` after `take` was called means that the source
    ///   changed meanwhile: what `take` got has to be discarded.
    @discardableResult
    package func decrypt(
        _ source: any ByteSource, progress: Progress = { _ in }, _ take: Taking
    ) throws -> Int64 {
        let size = try verify(source) { _ in try progress(0) }
        var left = size
        let again = try unsafe pass(source, progress) { piece in
            let count = Int(min(Int64(piece.count), left))
            left -= Int64(count)
            if count > 0 { try unsafe take(UnsafeRawBufferPointer(rebasing: piece[..<count])) }
        }
        guard again == size else { throw AttachmentError.damaged(source, "it changed while being read") }
        return size
    }

    /// All of a small attachment.
    /// - Throws: as ``verify(_:progress:)``; ``SessionStoreError`` with `unsupported` for a file that is longer than the limit.
    package func contents(of source: any ByteSource, limit: Int) throws -> [UInt8] {
        guard source.size <= Int64(limit) else { throw AttachmentError.tooLarge(source, Int64(limit)) }
        var content: [UInt8] = []
        // One pass is enough: nobody has it before it is verified.
        let size = try unsafe pass(source, { _ in }) { unsafe content.append(contentsOf: $0) }
        content.removeLast(content.count - Int(size))
        return content
    }

    /// One pass. What `take` gets is unverified until it returns, and may be more than the content at its end.
    func pass(_ source: any ByteSource, _ progress: Progress, _ take: Taking) throws -> Int64 {
        guard source.size <= limit else { throw AttachmentError.tooLarge(source, limit) }
        guard source.size >= form.smallestFile else {
            throw AttachmentError.damaged(source, "it is too short")
        }
        return try unsafe decryption.pass(source, progress, take)
    }
}

/// The part of ``AttachmentReader`` that differs between the forms.
protocol AttachmentDecryption: Sendable {
    /// Reads a source that is long enough once, gives out its content, and verifies all of it before it returns.
    /// - Returns: the size of the content; what was given out behind it is padding.
    func pass(
        _ source: any ByteSource, _ progress: AttachmentReader.Progress, _ take: AttachmentReader.Taking
    ) throws -> Int64
}

extension SharedSecret {
    /// A copy of 32 bytes.
    func seed() throws -> SecretSeed {
        try unsafe bytes.withBytes { try unsafe SecretSeed(copying: $0) }
    }
}
