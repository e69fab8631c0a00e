import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseSecrets

@testable import ValiseXFTPWire

/// Two sessions with the official relay, as they were recorded: our client's side says the same bytes, and our relay's
/// side takes them and answers the same bytes.
@Suite struct NativeSessionTests {
    static let names = ["native-session", "native-session-ed25519"]

    @Test(arguments: names)
    func `the client's side takes the hello, and says the handshake and the commands byte for byte`(
        _ name: String
    ) throws {
        let file = try WireFixture.file(name)
        var client = try self.client(file)
        #expect(
            try client.receive(serverHello: file.object("serverHello").hex("block"))
                == file.object("clientHandshake").hex("block"))
        try client.receive(handshakeAnswer: file.object("clientHandshake").hex("responseBody"))
        #expect(client.version == 3)
        let commands = try file.objects("commands")
        #expect(commands.count == 41)
        var encoded = 0
        for recorded in commands {
            try check(recorded, session: file.hex("sessionId"))
            encoded += try isEncoded(recorded, by: client) ? 1 : 0
            let answer = try XFTPBlock.pad(recorded.hex("responseContent"))
            let response = try client.decode(answer)
            #expect(try response.encoded == recorded.hex("response"))
        }
        // Not the one with a correlation, the two that are no commands, and the three that no client of ours says:
        // of another session, two at once, and with an authenticator of 10 bytes.
        #expect(encoded == 35)
    }

    private func client(_ file: [String: Any]) throws -> ClientSession {
        let hello = try file.object("serverHello")
        let certificates = try #require(hello["certificates"] as? [String])
        return ClientSession(
            sessionID: try file.hex("sessionId"), fingerprint: try hello.hex("fingerprint"),
            leaf: hex(certificates[0]))
    }

    /// The recorded block is rebuilt from the recorded parts, with a signature of our own.
    private func check(_ recorded: [String: Any], session: [UInt8]) throws {
        let content = try recorded.hex("requestContent")
        let request = try XFTPBlock.pad(content)
        #expect(try digestText(request) == recorded.text("requestBlockSha256"))
        guard let payload = recorded.optionalHex("commandBytes") else { return }
        let authorized = try recorded.hex("authorized")
        var transmission = try Transmission(
            sessionID: Array(authorized[1...32]), correlationID: recorded.hex("corrId"),
            entityID: recorded.hex("entityId"), payload: payload)
        if let seed = recorded.optionalHex("signingKeySeed") {
            transmission.authenticator = Ed25519.sign(authorized, with: try SecretSeed(copying: seed))
        }
        #expect(transmission.authorized == authorized)
        #expect(try transmission.authenticator == recorded.hex("authenticator"))
        #expect(try transmission.encodedBlock() == request)
        #expect(try Transmission(block: request) == transmission)
    }

    /// Whether our client would say it: the command, decoded, is encoded and signed to the same block.
    private func isEncoded(_ recorded: [String: Any], by client: ClientSession) throws -> Bool {
        guard let payload = recorded.optionalHex("commandBytes"),
            let command = try? XFTPCommand(decoding: payload)
        else { return false }
        #expect(try command.encoded == payload)
        let seed = try recorded.optionalHex("signingKeySeed").map { try SecretSeed(copying: $0) }
        let block = try client.encode(command, entity: EntityID(recorded.hex("entityId")), key: seed)
        return try digestText(block) == recorded.text("requestBlockSha256")
    }

    // MARK: The relay's side

    @Test(arguments: names)
    func `the relay's side says the hello, takes the handshake, and answers every command byte for byte`(
        _ name: String
    ) throws {
        let file = try WireFixture.file(name)
        var relay = try ReplayedRelay(file)
        for recorded in try file.objects("commands") {
            let request = try XFTPBlock.pad(recorded.hex("requestContent"))
            let answer = try relay.answer(to: request, recorded)
            let command = try recorded.text("command")
            #expect(
                try digestText(answer) == recorded.text("responseBlockSha256"), "\(command)")
            #expect(try XFTPBlock.unpad(answer) == recorded.hex("responseContent"))
        }
        // Ten answers are AUTH; two are PONG, and nine are found before there is a key to verify with.
        #expect(relay.verified == 20 && relay.refused == 10)
    }
}

/// Our relay's side with the recorded identity, and names and keys as a relay would keep them.
private struct ReplayedRelay {
    private var session: RelaySession
    private var senders: [[UInt8]: (key: PublicKey, recipients: [[UInt8]])] = [:]
    private var recipients: [[UInt8]: PublicKey] = [:]
    private(set) var verified = 0
    private(set) var refused = 0

    init(_ file: [String: Any]) throws {
        let recorded = try file.object("serverHello")
        let hello = try ServerHello(block: recorded.hex("block"))
        // The hello is the recorded one when it is put together again; the session's key is not known, so that ours
        // says the same but for it.
        #expect(try hello.encodedBlock() == recorded.hex("block"))
        let identity = RelayIdentity(
            certificates: hello.certificates, fingerprint: try recorded.hex("fingerprint"),
            hello.signedKey.algorithm
        ) { _ in hello.signedKey.signature }
        session = RelaySession(identity, sessionID: try file.hex("sessionId"), mode: .native)
        var ours = try ServerHello(block: #require(session.receive(.init(head: [])).answer))
        #expect(ours.signedKey.signature == hello.signedKey.signature)
        ours.signedKey = hello.signedKey
        #expect(ours == hello)
        let handshake = try file.object("clientHandshake").hex("block")
        #expect(try session.receive(.init(head: handshake)) == .respond([]))
    }

    /// Our answer; what the relay keeps decides about AUTH, the recording about what else it found.
    mutating func answer(to block: [UInt8], _ recorded: [String: Any]) throws -> [UInt8] {
        let request: AuthorizedRequest
        switch try session.receive(.init(head: block)) {
        case .respond(let answer): return answer
        case .command(let command): request = command
        }
        guard request.command != .ping else { return session.answer(.pong, to: request) }
        guard session.verify(request, key: key(for: request)) else {
            refused += 1
            return session.answer(.error(.auth), to: request)
        }
        verified += 1
        let response = try XFTPResponse(decoding: recorded.hex("response"))
        note(request, response)
        return session.answer(response, to: request)
    }

    private func key(for request: AuthorizedRequest) -> PublicKey? {
        let name = request.entityID?.bytes ?? []
        return switch request.command {
        case .create(let chunk): chunk.senderKey
        case .addRecipients, .upload, .delete: senders[name]?.key
        case .download, .acknowledge: recipients[name]
        case .ping: nil
        }
    }

    private mutating func note(_ request: AuthorizedRequest, _ response: XFTPResponse) {
        let name = request.entityID?.bytes ?? []
        switch (request.command, response) {
        case (.create(let chunk), .created(let sender, let names)):
            senders[sender.bytes] = (chunk.senderKey, [])
            add(chunk.recipientKeys, names, to: sender.bytes)
        case (.addRecipients(let keys), .recipientsAdded(let names)): add(keys, names, to: name)
        case (.acknowledge, _): recipients[name] = nil
        case (.delete, _):
            for recipient in senders[name]?.recipients ?? [] { recipients[recipient] = nil }
            senders[name] = nil
        default: break
        }
    }

    private mutating func add(_ keys: [PublicKey], _ names: [EntityID], to sender: [UInt8]) {
        for (key, name) in zip(keys, names) {
            recipients[name.bytes] = key
            senders[sender]?.recipients.append(name.bytes)
        }
    }
}
