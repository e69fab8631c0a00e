import ValiseFailures

/// What a web page says first: it cannot look into TLS, so the relay has to prove itself (XFTP fact sheet, §3.2).
package struct WebHello: Hashable, Sendable {
    /// In bytes.
    package static let challengeSize = 32

    /// What the relay is to sign; nil where no proof is wanted.
    package var challenge: [UInt8]?

    package init(challenge: [UInt8]?) { self.challenge = challenge }

    /// The block that holds it.
    /// - Throws: ``XFTPWireError``: `invalid` for a challenge over 255 bytes.
    package func encodedBlock() throws(XFTPWireError) -> [UInt8] {
        var message: [UInt8] = []
        try message.append(optional: challenge)
        return try XFTPBlock.pad(message)
    }

    /// Reads a block. Newer pages may add fields.
    /// - Throws: ``XFTPWireError``: `damaged` for anything else, and for a challenge that has not 32 bytes.
    package init(block: [UInt8]) throws(XFTPWireError) {
        var reader = FieldReader(try XFTPBlock.unpad(block))
        challenge = try reader.optional { (reader) throws(XFTPWireError) in try reader.short() }
        guard challenge == nil || challenge?.count == Self.challengeSize else {
            throw XFTPWireError(.damaged, "the challenge is not 32 bytes long")
        }
    }
}
