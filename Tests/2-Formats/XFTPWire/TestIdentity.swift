import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseSecrets

@testable import ValiseXFTPWire

/// The relays of Fixtures/wire/handshake.json, with their keys.
struct TestIdentity {
    enum Kind: String, CaseIterable {
        case ed25519 = "ED25519"
        case ed448 = "ED448"
    }

    let relay: RelayIdentity
    let leaf: Certificate
    /// The hello of this relay, as the vectors have it.
    let hello: [String: Any]

    init(_ kind: Kind = .ed25519) throws {
        hello = try WireFixture.vector("handshake", "server handshake, \(kind.rawValue), native")
        let pem = try WireFixture.vector("handshake", "leaf private key \(kind.rawValue)").text("pem")
        let key = try SigningKey(pem: SecretBytes(copying: Array(pem.utf8)))
        leaf = try Certificate(der: hello.hex("leaf_der"))
        relay = try RelayIdentity([leaf, Certificate(der: hello.hex("ca_der"))], key: key)
    }
}

/// A relay's side with the identity and the session of the vectors, and what a client sends to it.
struct TestRelay {
    static let sessionID = Array<UInt8>(0xC9...0xE8)
    let identity: TestIdentity
    var session: RelaySession

    init(_ mode: RelaySession.Mode = .native, _ kind: TestIdentity.Kind = .ed25519) throws {
        identity = try TestIdentity(kind)
        let key = try identity.hello.hex("server_dh_private")
        session = RelaySession(identity.relay, sessionID: Self.sessionID, mode: mode) {
            try SecretSeed(copying: key)
        }
    }

    /// One after the handshake.
    static func accepted(
        version: UInt16 = 3, _ mode: RelaySession.Mode = .native, _ kind: TestIdentity.Kind = .ed25519
    ) throws -> TestRelay {
        var relay = try TestRelay(mode, kind)
        guard mode != .legacy else { return relay }
        _ = try relay.receive([], hello: mode == .web)
        #expect(try relay.receive(relay.handshake(version: version)) == .respond([]))
        #expect(relay.session.version == version)
        return relay
    }

    mutating func receive(
        _ head: [UInt8], hello: Bool = false, handshake: Bool = false
    ) throws -> RelaySession.Action {
        try session.receive(.init(head: head, hasHelloHeader: hello, hasHandshakeHeader: handshake))
    }

    func handshake(version: UInt16 = 3) throws -> [UInt8] {
        try ClientHandshake(version: version, keyHash: identity.relay.fingerprint).encodedBlock()
    }

    func client() -> ClientSession {
        ClientSession(
            sessionID: Self.sessionID, fingerprint: identity.relay.fingerprint, leaf: identity.leaf.der)
    }
}

extension RelaySession.Action {
    /// The whole answer; nil for a command.
    var answer: [UInt8]? {
        guard case .respond(let block) = self else { return nil }
        return block
    }

    /// The word that an error of the handshake is.
    var word: String? {
        answer.flatMap { try? XFTPBlock.unpad($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    var request: AuthorizedRequest? {
        guard case .command(let request) = self else { return nil }
        return request
    }

    /// What a client reads of it.
    var transmission: Transmission? { answer.flatMap { try? Transmission(block: $0) } }

    /// The error of the answer.
    var error: XFTPErrorCode? {
        guard let transmission, case .error(let error) = try? XFTPResponse(decoding: transmission.payload)
        else { return nil }
        return error
    }
}

/// A block of any bytes as command, signed by a seed or with an authenticator.
func block(
    _ payload: [UInt8], session: [UInt8] = TestRelay.sessionID, correlation: [UInt8] = [],
    entity: [UInt8] = [], authenticator: [UInt8] = []
) throws -> [UInt8] {
    var transmission = try Transmission(
        sessionID: session, correlationID: correlation, entityID: entity, payload: payload)
    transmission.authenticator = authenticator
    return try transmission.encodedBlock()
}

func block(
    _ text: String, session: [UInt8] = TestRelay.sessionID, correlation: [UInt8] = [],
    entity: [UInt8] = [], authenticator: [UInt8] = []
) throws -> [UInt8] {
    try block(
        Array(text.utf8), session: session, correlation: correlation, entity: entity,
        authenticator: authenticator)
}
