import ValiseEncoding
import ValiseFailures

/// What a relay says first: what it speaks and who it is (XFTP fact sheet, §3.2).
package struct ServerHello: Hashable, Sendable {
    package var versions: ClosedRange<UInt16>
    /// What the TLS session is known by.
    package var sessionID: [UInt8]
    /// In DER: the relay's own, then the identity's. At least one.
    package var certificates: [[UInt8]]
    package var signedKey: SignedKey
    /// The signature of a web page's challenge and the session; empty for others.
    package var webProof: [UInt8]

    package init(
        versions: ClosedRange<UInt16>, sessionID: [UInt8], certificates: [[UInt8]], signedKey: SignedKey,
        webProof: [UInt8] = []
    ) {
        self.versions = versions
        self.sessionID = sessionID
        self.certificates = certificates
        self.signedKey = signedKey
        self.webProof = webProof
    }

    /// What a web proof signs.
    package static func signedBytes(challenge: [UInt8], sessionID: [UInt8]) -> [UInt8] {
        challenge + sessionID
    }

    /// The block that holds it.
    /// - Throws: ``XFTPWireError``: `invalid` where certificates are too large for one, or there are none.
    package func encodedBlock() throws(XFTPWireError) -> [UInt8] {
        var message: [UInt8] = []
        message.append(bigEndian: versions.lowerBound)
        message.append(bigEndian: versions.upperBound)
        try message.append(short: sessionID)
        try message.append(countOf: certificates)
        for certificate in certificates { try message.append(long: certificate) }
        try message.append(long: signedKey.der)
        try message.append(short: webProof)
        return try XFTPBlock.pad(message)
    }

    /// Reads a block. Old relays have no field for the proof, and newer ones may add some behind it.
    /// - Throws: ``XFTPWireError``: `damaged` for anything else.
    package init(block: [UInt8]) throws(XFTPWireError) {
        var reader = FieldReader(try XFTPBlock.unpad(block))
        let lowest = try reader.number(UInt16.self)
        let highest = try reader.number(UInt16.self)
        guard lowest <= highest else { throw XFTPWireError(.damaged, "invalid version range") }
        versions = lowest...highest
        sessionID = try reader.short()
        certificates = try reader.list { (reader) throws(XFTPWireError) in try reader.long() }
        signedKey = try SignedKey(der: reader.long())
        webProof = reader.isAtEnd ? [] : try reader.short()
    }
}
