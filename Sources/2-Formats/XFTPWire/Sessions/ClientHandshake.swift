import ValiseEncoding

/// What a client answers to the hello: the version it took, and whom it believes to talk to (XFTP fact sheet, §3.2).
package struct ClientHandshake: Hashable, Sendable {
    package var version: UInt16
    /// The fingerprint in the address that the client has, 32 bytes.
    package var keyHash: [UInt8]

    package init(version: UInt16, keyHash: [UInt8]) {
        self.version = version
        self.keyHash = keyHash
    }

    /// The block that holds it.
    /// - Throws: ``XFTPWireError``: `invalid` for a hash over 255 bytes.
    package func encodedBlock() throws(XFTPWireError) -> [UInt8] {
        var message: [UInt8] = []
        message.append(bigEndian: version)
        try message.append(short: keyHash)
        return try XFTPBlock.pad(message)
    }

    /// Reads a block. Newer clients may add fields.
    /// - Throws: ``XFTPWireError``: `damaged` for anything else.
    package init(block: [UInt8]) throws(XFTPWireError) {
        var reader = FieldReader(try XFTPBlock.unpad(block))
        version = try reader.number()
        keyHash = try reader.short()
    }
}
