import CValiseOpenSSL
import ValiseSecrets

/// Seals and opens files and blobs under one key; for one thread.
///
///     sealed = IV (16 bytes) ‖ AES-256-CTR ‖ Poly1305-AES tag of the encrypted bytes (16)
///
/// Source: section 3 of the fact sheet on restic's repositories. No name or place is bound into the tag: what a file or blob
/// is, only its digest says.
package struct SealingContext: ~Copyable, Sendable {
    private var cipher: KeyedCipher
    private var authenticator: OneTimeAuthenticator
    private var vectors = InitializationVectors()

    /// How much longer the sealed form is.
    package static let overhead = headSize + OneTimeAuthenticator.tagSize
    /// How many bytes are before the content.
    package static let headSize = InitializationVectors.size

    /// - Throws: ``RepositoryError``: `failed`; `SecretsError` when no guarded memory is available.
    package init(_ key: MasterKey) throws {
        // A closure cannot return two values that are not copied.
        let authenticator = try unsafe key.withParts { _, k, r in
            try unsafe OneTimeAuthenticator(k: k, r: r)
        }
        let cipher = try unsafe key.withParts { encryption, _, _ in
            try unsafe KeyedCipher(EVP_aes_256_ctr(), key: encryption)
        }
        self.authenticator = authenticator
        self.cipher = cipher
    }

    // MARK: Sealing

    /// Seals bytes.
    ///
    /// - Parameters:
    ///   - content: what is encrypted.
    ///   - sealed: exactly ``overhead`` bytes longer. The content may be in it already, from ``headSize`` on.
    /// - Throws: ``RepositoryError``: `invalid` for other lengths, `failed`.
    package mutating func seal(
        _ content: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer
    ) throws(RepositoryError) {
        guard let parts = unsafe SealedParts(UnsafeRawBufferPointer(sealed)),
            unsafe parts.content.count == content.count
        else { throw RepositoryError(.invalid, "wrong buffer length for encryption") }
        let encrypted = unsafe UnsafeMutableRawBufferPointer(mutating: parts.content)
        unsafe vectors.take(into: UnsafeMutableRawBufferPointer(mutating: parts.vector))
        try unsafe cipher.start(at: parts.vector)
        try unsafe cipher.transform(content, into: encrypted)
        try unsafe authenticator.authenticate(
            parts.content, parts.vector, tag: UnsafeMutableRawBufferPointer(mutating: parts.tag))
    }

    /// Seals the content where it is.
    /// - Parameter memory: the content from ``headSize`` on, and 16 bytes behind it.
    /// - Throws: as ``seal(_:into:)``.
    package mutating func sealInPlace(_ memory: UnsafeMutableRawBufferPointer) throws(RepositoryError) {
        guard let parts = unsafe SealedParts(UnsafeRawBufferPointer(memory)) else {
            throw RepositoryError(.invalid, "wrong buffer length for encryption")
        }
        try unsafe seal(parts.content, into: memory)
    }

    /// The sealed form of some bytes.
    /// - Throws: ``RepositoryError``: `failed`.
    package mutating func seal(_ content: [UInt8]) throws -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: content.count + Self.overhead)
        try unsafe content.withUnsafeBytes { content in
            try unsafe sealed.withUnsafeMutableBytes { try unsafe seal(content, into: $0) }
        }
        return sealed
    }

    // MARK: Opening

    /// Whether bytes were sealed with this key and are unchanged.
    /// - Throws: ``RepositoryError``: `damaged` where they are too short or have no initialization vector; `failed`.
    package mutating func isAuthentic(_ sealed: UnsafeRawBufferPointer) throws(RepositoryError) -> Bool {
        guard let parts = unsafe SealedParts(sealed) else {
            throw RepositoryError(.damaged, "too short for encrypted content")
        }
        guard unsafe !InitializationVectors.isEmpty(parts.vector) else {
            throw RepositoryError(.damaged, "the initialization vector is empty")
        }
        return try unsafe authenticator.isTag(parts.tag, of: parts.content, parts.vector)
    }

    /// Verifies what was sealed, then decrypts it.
    ///
    /// - Parameters:
    ///   - sealed: what ``seal(_:into:)`` made.
    ///   - content: exactly ``overhead`` bytes shorter. Nothing is written where this throws. It may be the memory of the content
    ///     in `sealed`.
    /// - Throws: ``RepositoryError``: `damaged`, `invalid` for another length, `failed`.
    package mutating func open(
        _ sealed: UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer
    ) throws(RepositoryError) {
        guard try unsafe isAuthentic(sealed), let parts = unsafe SealedParts(sealed) else {
            throw RepositoryError(
                .damaged, "the content was changed, or has another key: its tag does not match")
        }
        guard unsafe parts.content.count == content.count else {
            throw RepositoryError(.invalid, "wrong buffer length for decryption")
        }
        try unsafe cipher.start(at: parts.vector)
        try unsafe cipher.transform(parts.content, into: content)
    }

    /// Verifies what was sealed, then decrypts it where it is.
    /// - Returns: the part of the memory that has the content.
    /// - Throws: as ``open(_:into:)``.
    package mutating func openInPlace(
        _ sealed: UnsafeMutableRawBufferPointer
    ) throws(RepositoryError) -> UnsafeMutableRawBufferPointer {
        guard let parts = unsafe SealedParts(UnsafeRawBufferPointer(sealed)) else {
            throw RepositoryError(.damaged, "too short for encrypted content")
        }
        let content = unsafe UnsafeMutableRawBufferPointer(mutating: parts.content)
        try unsafe open(UnsafeRawBufferPointer(sealed), into: content)
        return unsafe content
    }

    /// The content of what was sealed.
    /// - Throws: ``RepositoryError``: `damaged`, `failed`.
    package mutating func open(_ sealed: [UInt8]) throws -> [UInt8] {
        var content = [UInt8](repeating: 0, count: max(0, sealed.count - Self.overhead))
        try unsafe sealed.withUnsafeBytes { sealed in
            try unsafe content.withUnsafeMutableBytes { try unsafe open(sealed, into: $0) }
        }
        return content
    }
}

/// Where the parts of sealed bytes are.
@safe private struct SealedParts {
    let vector: UnsafeRawBufferPointer
    let content: UnsafeRawBufferPointer
    let tag: UnsafeRawBufferPointer

    /// Nil where they are too short.
    init?(_ sealed: UnsafeRawBufferPointer) {
        guard sealed.count >= SealingContext.overhead else { return nil }
        let tagStart = sealed.count - OneTimeAuthenticator.tagSize
        unsafe vector = UnsafeRawBufferPointer(rebasing: sealed[..<SealingContext.headSize])
        unsafe content = UnsafeRawBufferPointer(rebasing: sealed[SealingContext.headSize..<tagStart])
        unsafe tag = UnsafeRawBufferPointer(rebasing: sealed[tagStart...])
    }
}
