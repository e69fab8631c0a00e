import ValiseCryptography
import ValiseEncoding
import ValiseSecrets

/// A relay's side of one connection, without the connection: the handshake, then the checks that every command
/// passes before the relay looks up what it is about (XFTP fact sheet, §3.4 and §5.2).
package struct RelaySession: Sendable {
    private let identity: RelayIdentity
    private let sessionID: [UInt8]
    private let mode: Mode
    private let makeKey: @Sendable () throws -> SecretSeed
    private var state: State

    /// - Parameters:
    ///   - identity: of the relay.
    ///   - sessionID: what the TLS session is known by, at most 255 bytes.
    ///   - mode: which protocol the client speaks.
    package init(_ identity: RelayIdentity, sessionID: [UInt8], mode: Mode) {
        self.init(identity, sessionID: sessionID, mode: mode) { try SecretSeed() }
    }

    /// - Parameter makeKey: makes the session's key.
    init(
        _ identity: RelayIdentity, sessionID: [UInt8], mode: Mode,
        makeKey: @escaping @Sendable () throws -> SecretSeed
    ) {
        precondition(sessionID.count <= 255, "session ID of \(Count.text(sessionID.count, "byte"))")
        self.makeKey = makeKey
        self.identity = identity
        self.sessionID = sessionID
        self.mode = mode
        state = mode == .legacy ? .accepted(nil, version: XFTPVersion.withoutHandshake) : .none
    }

    /// What the client took; nil before the handshake's end.
    package var version: UInt16? {
        guard case .accepted(_, let version) = state else { return nil }
        return version
    }

    /// The key of the handshake, which X25519 authenticators need.
    var sessionKey: SecretSeed? {
        guard case .accepted(let key, _) = state else { return nil }
        return key?.secret
    }

    /// Takes the next request. After an error of the handshake everything is as before.
    /// - Throws: errors of the memory for keys, and of the signature.
    package mutating func receive(_ request: Request) throws -> Action {
        let isHello = mode == .web && request.hasHelloHeader
        let isHandshake = mode == .web && request.hasHandshakeHeader
        switch state {
        case .none:
            guard mode == .native || isHello else { return Self.refuse(.session) }
            return try hello(request.head, key: nil)
        case .helloSent(let key):
            return isHello ? try hello(request.head, key: key) : handshake(request.head, key: key)
        case .accepted(let key?, _) where isHello:
            return try hello(request.head, key: key)
        case .accepted(let key?, _) where isHandshake:
            return handshake(request.head, key: key)
        case .accepted:
            return check(request.head)
        }
    }

    // MARK: Handshake

    private static func refuse(_ error: XFTPErrorCode) -> Action {
        .respond(XFTPBlock.pad(short: error.text))
    }

    private mutating func hello(_ head: [UInt8], key: SessionKey?) throws -> Action {
        var challenge: [UInt8]?
        if !head.isEmpty {
            guard mode == .web, let hello = try? WebHello(block: head) else { return Self.refuse(.handshake) }
            challenge = hello.challenge
        }
        let proof = try challenge.map {
            try identity.sign(ServerHello.signedBytes(challenge: $0, sessionID: sessionID))
        }
        let key = try key ?? newKey()
        let hello = ServerHello(
            versions: XFTPVersion.supported, sessionID: sessionID, certificates: identity.certificates,
            signedKey: key.signed, webProof: proof ?? [])
        let block = try hello.encodedBlock()
        state = .helloSent(key)
        return .respond(block)
    }

    private func newKey() throws -> SessionKey {
        let secret = try makeKey()
        return SessionKey(
            secret: secret, signed: try identity.sign(PublicKey(.x25519, X25519.publicKey(of: secret))))
    }

    private mutating func handshake(_ head: [UInt8], key: SessionKey) -> Action {
        guard let handshake = try? ClientHandshake(block: head), handshake.keyHash == identity.fingerprint,
            XFTPVersion.supported.contains(handshake.version)
        else { return Self.refuse(.handshake) }
        state = .accepted(key, version: handshake.version)
        return .respond([])
    }

    // MARK: Commands

    private func check(_ head: [UInt8]) -> Action {
        guard let transmission = try? Transmission(block: head) else { return .respond(answer(.block)) }
        let correlation = transmission.correlationID
        guard transmission.sessionID == sessionID else {
            return .respond(answer(.session, correlationID: correlation))
        }
        guard CommandAuthenticator.sizes.contains(transmission.authenticator.count) else {
            return .respond(answer(.block))
        }
        do {
            return .command(try AuthorizedRequest(transmission))
        } catch {
            return .respond(
                answer(.command(error), correlationID: correlation, entityID: transmission.entityID))
        }
    }

    // MARK: Answers

    /// The block that answers a command, with its correlation and name. Clients that do not know `BLOCKED` read `AUTH`;
    /// what does not fit into a block becomes `INTERNAL`.
    package func answer(_ response: XFTPResponse, to request: AuthorizedRequest) -> [UInt8] {
        answer(response, request.correlationID, request.entityID?.bytes ?? [])
    }

    private func answer(
        _ error: XFTPErrorCode, correlationID: [UInt8] = [], entityID: [UInt8] = []
    ) -> [UInt8] {
        answer(.error(error), correlationID, entityID)
    }

    private func answer(_ response: XFTPResponse, _ correlationID: [UInt8], _ entityID: [UInt8]) -> [UInt8] {
        for response in [forVersion(response), .error(.internal)] {
            let block = try? Transmission(
                sessionID: sessionID, correlationID: correlationID, entityID: entityID,
                payload: response.encoded
            ).encodedBlock()
            if let block { return block }
        }
        preconditionFailure("fields of at most 255 bytes and one word fit into a block")
    }

    private func forVersion(_ response: XFTPResponse) -> XFTPResponse {
        guard case .error(.blocked) = response, (version ?? 0) < XFTPVersion.blocked else { return response }
        return .error(.auth)
    }
}

extension AuthorizedRequest {
    /// Reads the command, and checks that it has the name and the authenticator that it needs (§5.2, steps 2 and 3).
    fileprivate init(_ transmission: Transmission) throws(XFTPErrorCode.CommandFault) {
        command = try XFTPCommand(decoding: transmission.payload)
        entityID = EntityID(transmission.entityID)
        correlationID = transmission.correlationID
        authenticator = transmission.authenticator
        authorized = transmission.authorized
        switch command {
        case .ping:
            guard authenticator.isEmpty, entityID == nil else { throw .hasAuth }
        case .create:
            guard !authenticator.isEmpty else { throw .noAuth }
            guard entityID == nil else { throw .hasAuth }
        case .addRecipients, .upload, .delete, .download, .acknowledge:
            guard !authenticator.isEmpty, entityID != nil else { throw .noAuth }
        }
    }
}
