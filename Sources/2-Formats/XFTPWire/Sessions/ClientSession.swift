import ValiseCryptography
import ValiseEncoding
import ValiseFailures
package import ValiseSecrets

/// A client's side of one connection, without the connection (XFTP fact sheet, §3.3 and §4): checks the relay's hello,
/// signs commands, reads answers.
package struct ClientSession: Sendable {
    private enum State {
        case helloExpected
        case answerExpected(version: UInt16)
        case ready(version: UInt16)
    }

    private let sessionID: [UInt8]
    private let fingerprint: [UInt8]
    private let leaf: [UInt8]
    private var state = State.helloExpected

    /// - Parameters:
    ///   - sessionID: what the TLS session is known by here.
    ///   - fingerprint: of the relay's identity, from its address.
    ///   - leaf: the certificate that the relay had in TLS, in DER.
    package init(sessionID: [UInt8], fingerprint: [UInt8], leaf: [UInt8]) {
        self.sessionID = sessionID
        self.fingerprint = fingerprint
        self.leaf = leaf
    }

    /// A session of version 1 without a handshake, as it is where TLS agreed on no protocol.
    package init(withoutHandshake sessionID: [UInt8]) {
        self.init(sessionID: sessionID, fingerprint: [], leaf: [])
        state = .ready(version: XFTPVersion.withoutHandshake)
    }

    /// What was agreed on; nil before the handshake's end.
    package var version: UInt16? {
        guard case .ready(let version) = state else { return nil }
        return version
    }

    // MARK: Handshake

    /// Takes the answer to the first request, which is an empty one.
    /// - Returns: the block to send next.
    /// - Throws: ``XFTPWireError``: `denied` where the relay is not the one of the address or of the TLS session,
    ///   `newer` or `unsupported` where it speaks no version that we do, `failed` where it refuses, `damaged` for
    ///   anything that is no hello.
    package mutating func receive(serverHello block: [UInt8]) throws -> [UInt8] {
        guard case .helloExpected = state else {
            throw XFTPWireError(.invalid, "server hello already received")
        }
        if let refusal = Self.refusal(in: block) { throw refusal }
        let hello = try ServerHello(block: block)
        guard hello.sessionID == sessionID else {
            throw XFTPWireError(
                .denied, "TLS session mismatch: someone may be intercepting the connection")
        }
        guard let version = XFTPVersion.best(of: hello.versions) else {
            throw Self.incompatible(hello.versions)
        }
        try check(hello)
        let handshake = try ClientHandshake(version: version, keyHash: fingerprint).encodedBlock()
        state = .answerExpected(version: version)
        return handshake
    }

    private func check(_ hello: ServerHello) throws {
        guard hello.certificates.count == 2, SHA256.hash(hello.certificates[1]) == fingerprint else {
            throw XFTPWireError(.denied, "the relay's identity does not match its address")
        }
        // By the key that TLS proved: whatever the hello has in the certificate's place proves nothing.
        guard try Certificate(der: leaf).verify(hello.signedKey.signature, of: hello.signedKey.object) else {
            throw XFTPWireError(.denied, "the relay's session key is not signed by its certificate")
        }
    }

    private static func incompatible(_ versions: ClosedRange<UInt16>) -> XFTPWireError {
        let isNewer = versions.lowerBound > XFTPVersion.supported.upperBound
        return XFTPWireError(
            isNewer ? .newer : .unsupported,
            "unsupported protocol: the relay speaks versions \(versions.lowerBound) to \(versions.upperBound)"
        )
    }

    /// Takes the body of the answer to the block of ``receive(serverHello:)``, which has to be empty.
    /// - Throws: ``XFTPWireError``: `failed` where the relay refuses, `damaged` for any other body.
    package mutating func receive(handshakeAnswer body: [UInt8]) throws {
        guard case .answerExpected(let version) = state else {
            throw XFTPWireError(.invalid, "unexpected handshake response")
        }
        if let refusal = Self.refusal(in: body) { throw refusal }
        guard body.isEmpty else {
            throw XFTPWireError(
                .damaged,
                "expected an empty handshake response, got \(Count.text(body.count, "byte"))")
        }
        state = .ready(version: version)
    }

    /// What a relay says that takes no part in the handshake: a block with only an error's name.
    private static func refusal(in block: [UInt8]) -> XFTPWireError? {
        guard let message = try? XFTPBlock.unpad(block), message.count < 64,
            let error = XFTPErrorCode(text: String(decoding: message, as: UTF8.self))
        else { return nil }
        return XFTPWireError(.failed, "the relay refused the handshake: \(error.text)")
    }

    // MARK: Commands

    /// The block of a command.
    ///
    /// - Parameters:
    ///   - command: what the relay is to do.
    ///   - entity: the chunk's name; nil for a new chunk and a ping.
    ///   - key: signs for that name, or is the new chunk's sender key; nil for a ping.
    /// - Throws: ``XFTPWireError``: `invalid` before the handshake's end, and for a command that fits into no block.
    package func encode(
        _ command: XFTPCommand, entity: EntityID? = nil, key: SecretSeed? = nil
    ) throws(XFTPWireError) -> [UInt8] {
        guard version != nil else { throw XFTPWireError(.invalid, "no commands before the handshake") }
        var transmission = try Transmission(
            sessionID: sessionID, entityID: entity?.bytes ?? [], payload: command.encoded)
        if let key { transmission.authenticator = Ed25519.sign(transmission.authorized, with: key) }
        return try transmission.encodedBlock()
    }

    /// Reads the block of an answer.
    /// - Throws: ``XFTPWireError``: `damaged` for a block that is no answer of this session, or one with a name where it
    ///   must have none, or without one.
    package func decode(_ block: [UInt8]) throws(XFTPWireError) -> XFTPResponse {
        let transmission = try Transmission(block: block)
        guard transmission.authenticator.isEmpty else {
            throw XFTPWireError(.damaged, "response with an unexpected signature")
        }
        guard transmission.sessionID == sessionID else {
            throw XFTPWireError(.damaged, "response from another session")
        }
        let response = try XFTPResponse(decoding: transmission.payload)
        switch response {
        case .created, .pong:
            guard transmission.entityID.isEmpty else {
                throw XFTPWireError(.damaged, "response with an unexpected entity ID")
            }
        case .recipientsAdded, .file, .done:
            guard !transmission.entityID.isEmpty else {
                throw XFTPWireError(.damaged, "response without an entity ID")
            }
        case .error:
            break
        }
        return response
    }
}
