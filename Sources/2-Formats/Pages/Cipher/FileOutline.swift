import ValiseEncoding
package import ValiseFiles

/// What the bytes of a database file tell without any key.
package struct FileOutline: Sendable, Equatable {
    /// The salt in hexadecimal; nil where the header is unencrypted.
    package let salt: String?
    /// Whether most of the bytes look like what a cipher makes.
    package let looksEncrypted: Bool
    /// The page size that an unencrypted header states.
    package let unencryptedPageSize: Int?

    /// - Throws: errors of the source.
    package init(_ source: any ByteSource) throws {
        let bytes = try FileHead.bytes(of: source)
        let head = FileHead(bytes)
        let isIntact = bytes.count >= CipherSettings.saltSize
        salt = head.isUnencrypted || !isIntact ? nil : Hexadecimal.encode(head.salt)
        looksEncrypted = try Randomness.looksRandom(source)
        unencryptedPageSize = head.isUnencrypted ? head.pageSize : nil
    }
}
