import Foundation
import Testing
import ValiseCryptography
import ValiseSecrets

@testable import ValiseXFTPWire

/// Random messages, and random damage to them. The seed of a run is printed with what fails;
/// `VALISE_SEED` sets it, `VALISE_SOAK` runs longer.
@Suite struct WirePropertyTests {
    private static let seed =
        ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap(UInt64.init)
        ?? UInt64.random(in: 0...UInt64.max)
    private static let rounds = ProcessInfo.processInfo.environment["VALISE_SOAK"] == nil ? 100 : 10_000

    @Test func `what is written is read again as the same`() throws {
        var random = WireRandom(Self.seed)
        for round in 0..<Self.rounds {
            let comment: Comment = "seed \(Self.seed), round \(round)"
            let command = random.command()
            #expect(try XFTPCommand(decoding: command.encoded) == command, comment)
            let response = random.response()
            #expect(try XFTPResponse(decoding: response.encoded) == response, comment)
            var transmission = try Transmission(
                sessionID: random.bytes(0...255), correlationID: random.bytes(0...255),
                entityID: random.bytes(0...255), payload: random.bytes(0...14_000))
            transmission.authenticator = random.bytes(0...255)
            #expect(try Transmission(block: transmission.encodedBlock()) == transmission, comment)
            let hello = try random.hello()
            #expect(try ServerHello(block: hello.encodedBlock()) == hello, comment)
            let handshake = ClientHandshake(version: random.next(), keyHash: random.bytes(0...255))
            #expect(try ClientHandshake(block: handshake.encodedBlock()) == handshake, comment)
        }
    }

    @Test func `damage never traps, and whatever is read is written as it was`() throws {
        var random = WireRandom(Self.seed)
        for round in 0..<Self.rounds {
            let comment: Comment = "seed \(Self.seed), round \(round)"
            let command = random.damaged(try random.command().encoded)
            if let read = try? XFTPCommand(decoding: command) {
                #expect(try read.encoded == command, comment)
            }
            let response = random.damaged(try random.response().encoded)
            if let read = try? XFTPResponse(decoding: response) {
                let again = try read.encoded
                #expect(try XFTPResponse(decoding: again) == read, comment)
            }
            let key = random.damaged(random.key().spki)
            if let read = try? PublicKey(spki: key) { #expect(read.spki == key, comment) }
            let signed = random.damaged(try random.hello().signedKey.der)
            if let read = try? SignedKey(der: signed) { #expect(read.der == signed, comment) }
        }
    }

    @Test func `a relay's side survives any sequence of damaged requests`() throws {
        var random = WireRandom(Self.seed)
        let seed = try TestKeys.seed(from: 1)
        for round in 0..<Self.rounds / 20 {
            let mode: RelaySession.Mode = random.element([.native, .web, .legacy])
            var relay = try TestRelay(mode)
            let hello = try WebHello(challenge: random.bytes(32...32)).encodedBlock()
            for _ in 0..<30 {
                var heads = [try relay.handshake(), hello, []]
                var transmission = try Transmission(
                    sessionID: TestRelay.sessionID, entityID: random.bytes(0...20),
                    payload: random.command().encoded)
                transmission.authenticator = Ed25519.sign(transmission.authorized, with: seed)
                if let block = try? transmission.encodedBlock() { heads += [block, block] }
                let head = random.once(in: 2) ? random.element(heads) : random.damaged(random.element(heads))
                let action = try relay.receive(head, hello: random.once(in: 3), handshake: random.once(in: 3))
                try check(action, relay, "seed \(Self.seed), round \(round)")
            }
        }
    }

    /// Whatever is answered is a whole block, or nothing; a command has the name that it needs.
    private func check(_ action: RelaySession.Action, _ relay: TestRelay, _ comment: Comment) throws {
        switch action {
        case .respond(let block):
            #expect(block.isEmpty || block.count == XFTPBlock.size, comment)
        case .command(let request):
            #expect(relay.session.version != nil, comment)
            _ = relay.session.verify(request, key: try TestKeys.signing(from: 1))
            let answer = try Transmission(block: relay.session.answer(.error(.auth), to: request))
            #expect(answer.entityID == request.entityID?.bytes ?? [], comment)
        }
    }

    @Test func `a client's side survives any damaged hello and answer`() throws {
        var random = WireRandom(Self.seed)
        var relay = try TestRelay()
        let hello = try #require(relay.receive([]).answer)
        let session = ClientSession(withoutHandshake: TestRelay.sessionID)
        for round in 0..<Self.rounds {
            var client = relay.client()
            let damaged = try random.damagedMessage(of: hello)
            if (try? client.receive(serverHello: damaged)) != nil {
                // Only what no check is over can differ: the highest version, and what stands behind the fields.
                let read = try ServerHello(block: damaged)
                let (one, other) = (read, try ServerHello(block: hello))
                #expect(
                    one.signedKey == other.signedKey && one.certificates[1] == other.certificates[1],
                    "seed \(Self.seed), round \(round)")
            }
            let answer = try block(random.response().encoded, entity: random.bytes(0...3))
            _ = try? session.decode(try random.damagedMessage(of: answer))
            _ = try? client.receive(handshakeAnswer: random.damaged(answer))
        }
    }
}

/// SplitMix64 with what messages are made of.
private struct WireRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func once(in count: Int) -> Bool { number(1...count) == 1 }
    mutating func element<Element>(_ elements: [Element]) -> Element {
        elements[number(0...elements.count - 1)]
    }

    mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
        (0..<number(count)).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    mutating func key(_ algorithm: PublicKey.Algorithm? = nil) -> PublicKey {
        let algorithm = algorithm ?? element(PublicKey.Algorithm.allCases)
        return PublicKey(algorithm, bytes(algorithm.byteCount...algorithm.byteCount))
    }

    mutating func keys() -> [PublicKey] { (0..<number(1...200)).map { _ in key() } }
    mutating func id() -> EntityID { EntityID(bytes(1...255)) ?? id() }
    mutating func ids() -> [EntityID] { (0..<number(1...40)).map { _ in id() } }

    mutating func command() -> XFTPCommand {
        switch number(0...6) {
        case 0:
            .create(
                NewChunk(
                    senderKey: key(), size: next(), digest: bytes(0...255), recipientKeys: keys(),
                    password: once(in: 2) ? RelayPassword(bytes: bytes(0...255)) : nil))
        case 1: .addRecipients(keys())
        case 2: .download(key(.x25519))
        case 3: .upload
        case 4: .delete
        case 5: .acknowledge
        default: .ping
        }
    }

    mutating func response() -> XFTPResponse {
        switch number(0...5) {
        case 0: .created(sender: id(), recipients: ids())
        case 1: .recipientsAdded(ids())
        case 2: .file(key(.x25519), nonce: bytes(24...24))
        case 3: .done
        case 4: .pong
        default: .error(error())
        }
    }

    private mutating func error() -> XFTPErrorCode {
        switch number(0...2) {
        case 0: .command(element(XFTPErrorCode.CommandFault.allCases))
        case 1: .blocked(blocking())
        default:
            element([
                .block, .session, .handshake, .auth, .size, .quota, .digest, .crypto, .noFile, .hasFile,
                .fileIO,
                .timeout, .internal, .duplicate,
            ])
        }
    }

    private mutating func blocking() -> BlockingInfo {
        let ttl = once(in: 2) ? nil : Int64(bitPattern: next())
        return BlockingInfo(
            element(BlockingReason.allCases), notice: once(in: 2) ? nil : .init(ttl: ttl))
    }

    mutating func hello() throws -> ServerHello {
        let lowest: UInt16 = next()
        let algorithm: PublicKey.Algorithm = element([.ed25519, .ed448])
        let signature = bytes(algorithm == .ed25519 ? 64...64 : 114...114)
        return ServerHello(
            versions: lowest...UInt16.random(in: lowest...UInt16.max, using: &self),
            sessionID: bytes(0...255),
            certificates: (0..<number(1...6)).map { _ in bytes(0...2000) },
            signedKey: try SignedKey(signing: key(.x25519), algorithm) { _ in signature },
            webProof: bytes(0...255))
    }

    /// With some bytes changed, cut or added.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<number(1...4) {
            let place = number(0...bytes.count)
            switch number(0...4) {
            case 0: bytes.insert(UInt8(truncatingIfNeeded: next()), at: place)
            case 1: bytes.removeLast(bytes.count - place)
            case 2 where place < bytes.count: bytes.remove(at: place)
            case 3 where place < bytes.count: bytes[place] = element([0, 1, 0x7F, 0x80, 0xFF])
            default: if place < bytes.count { bytes[place] ^= 1 << UInt8(number(0...7)) }
            }
        }
        return bytes
    }

    /// A block whose message is damaged, so that the damage gets past the padding.
    mutating func damagedMessage(of block: [UInt8]) throws -> [UInt8] {
        try XFTPBlock.pad(Array(damaged(XFTPBlock.unpad(block)).prefix(XFTPBlock.capacity)))
    }
}
