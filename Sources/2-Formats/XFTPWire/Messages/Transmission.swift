import ValiseFailures

/// One message in one block: who says what in which session (XFTP fact sheet, §4.3).
package struct Transmission: Hashable, Sendable {
    /// Signature or tag over ``authorized``: none, 64 bytes of Ed25519, 80 of X25519 or 114 of Ed448.
    package var authenticator: [UInt8]
    /// The TLS session that it belongs to.
    package let sessionID: [UInt8]
    /// What the answer repeats. Clients of today leave it empty.
    package let correlationID: [UInt8]
    /// The name of the chunk; empty where there is none.
    package let entityID: [UInt8]
    /// A command or an answer.
    package let payload: [UInt8]
    /// The bytes that are signed: all but the authenticator.
    package let authorized: [UInt8]

    /// - Throws: ``XFTPWireError``: `invalid` for a field over 255 bytes; the payload may have more.
    package init(
        sessionID: [UInt8], correlationID: [UInt8] = [], entityID: [UInt8] = [], payload: [UInt8]
    ) throws(XFTPWireError) {
        var authorized: [UInt8] = []
        for field in [sessionID, correlationID, entityID] { try authorized.append(short: field) }
        self.init([], sessionID, correlationID, entityID, payload, authorized: authorized + payload)
    }

    private init(
        _ authenticator: [UInt8], _ sessionID: [UInt8], _ correlationID: [UInt8], _ entityID: [UInt8],
        _ payload: [UInt8], authorized: [UInt8]
    ) {
        self.authenticator = authenticator
        self.sessionID = sessionID
        self.correlationID = correlationID
        self.entityID = entityID
        self.payload = payload
        self.authorized = authorized
    }

    /// Reads a block with exactly one transmission. The length of the authenticator is not checked here: a wrong
    /// session is told first.
    /// - Throws: ``XFTPWireError``: `damaged` for anything else.
    package init(block: [UInt8]) throws(XFTPWireError) {
        var batch = FieldReader(try XFTPBlock.unpad(block))
        guard try batch.byte() == 1 else {
            throw XFTPWireError(.damaged, "expected exactly one message in the block")
        }
        let transmission = try batch.long()
        try batch.end()
        var whole = FieldReader(transmission)
        let authenticator = try whole.short()
        let authorized = try whole.rest()
        var fields = FieldReader(authorized)
        self.init(
            authenticator, try fields.short(), try fields.short(), try fields.short(), try fields.rest(),
            authorized: authorized)
    }

    /// The block that holds it.
    /// - Throws: ``XFTPWireError``: `invalid` where it is too long for one.
    package func encodedBlock() throws(XFTPWireError) -> [UInt8] {
        var transmission: [UInt8] = []
        try transmission.append(short: authenticator)
        transmission.append(contentsOf: authorized)
        var batch: [UInt8] = [1]
        try batch.append(long: transmission)
        return try XFTPBlock.pad(batch)
    }
}
