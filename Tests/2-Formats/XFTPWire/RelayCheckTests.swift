import Testing
import ValiseCryptography
import ValiseSecrets

@testable import ValiseXFTPWire

/// The checks that every command passes (§5.2, steps 1 to 3), and the answers (§4.3).
@Suite struct RelayCheckTests {
    private static let signature = [UInt8](repeating: 7, count: 64)

    @Test func `12a: what is no block with one transmission is a broken block, with no names`() throws {
        var relay = try TestRelay.accepted()
        let ping = try block("PING", correlation: [1, 2, 3])
        let content = try XFTPBlock.unpad(ping)
        var wrong: [[UInt8]] = [
            [], Array(ping.dropLast()), ping + [0x23],  // not 16,384 bytes
            [0x3F, 0xFF] + ping.dropFirst(2),  // a length over 16,382
        ]
        let contents: [[UInt8]] = [
            [],  // no content
            // A batch of none, and of two.
            [0], [0] + content.dropFirst(), [2] + content.dropFirst() + content.dropFirst(),
            content + [0],  // a byte behind the transmission
            Array(content.dropLast()),  // its length goes past the end
            [1, 0, 0], [1, 0, 3, 0, 0, 0],  // fields that are not there
        ]
        for content in contents { wrong.append(try XFTPBlock.pad(content)) }
        for head in wrong {
            let answer = try relay.receive(head)
            #expect(answer.error == .block)
            #expect(answer.transmission?.entityID == [] && answer.transmission?.correlationID == [])
        }
        #expect(try relay.receive(ping).request?.command == .ping)
    }

    @Test func `12a: an authenticator of another length is a broken block`() throws {
        var relay = try TestRelay.accepted()
        for count in [1, 10, 63, 65, 79, 81, 113, 115, 255] {
            let authenticator = [UInt8](repeating: 0, count: count)
            let answer = try relay.receive(
                block("FPUT", correlation: [9], entity: [1], authenticator: authenticator))
            #expect(answer.error == .block)
            #expect(answer.transmission?.entityID == [] && answer.transmission?.correlationID == [])
        }
        for count in [64, 80, 114] {
            let authenticator = [UInt8](repeating: 0, count: count)
            let action = try relay.receive(block("FPUT", entity: [1], authenticator: authenticator))
            #expect(action.request?.authenticator == authenticator)
        }
    }

    @Test
    func `12a: a wrong session is told with the correlation and without a name, before all else (trap 9)`()
        throws
    {
        var relay = try TestRelay.accepted()
        for session in [[], [UInt8](repeating: 0, count: 32), TestRelay.sessionID + [0]] {
            for text in ["PING", "FOOO"] {
                let answer = try relay.receive(
                    block(
                        text, session: session, correlation: Array("abc".utf8), entity: [5],
                        authenticator: [1]))
                #expect(answer.error == .session)
                #expect(answer.transmission?.correlationID == Array("abc".utf8))
                #expect(answer.transmission?.entityID == [])
                #expect(answer.transmission?.sessionID == TestRelay.sessionID)
            }
        }
    }

    @Test func `faults of a command are told with the correlation and the name`() throws {
        var relay = try TestRelay.accepted()
        let new = try XFTPCommand.create(
            NewChunk(
                senderKey: TestKeys.signing(from: 1), size: 98_304, digest: [],
                recipientKeys: [TestKeys.signing(from: 2)])
        ).encoded
        let signed = Self.signature
        let cases: [(payload: [UInt8], entity: [UInt8], authenticator: [UInt8], XFTPErrorCode.CommandFault)] =
            [
                (Array("FOOO".utf8), [], [], .unknown), (Array("PINGx".utf8), [1], signed, .unknown),
                ([], [], [], .unknown), (Array("PING ".utf8), [], [], .syntax),
                (Array("PING x".utf8), [], [], .syntax),
                (new + [0], [], signed, .syntax), (Array("PING".utf8), [], signed, .hasAuth),
                (Array("PING".utf8), [1], [], .hasAuth), (new, [], [], .noAuth), (new, [1], [], .noAuth),
                (new, [1], signed, .hasAuth), (Array("FPUT".utf8), [1], [], .noAuth),
                (Array("FDEL".utf8), [], signed, .noAuth), (Array("FACK".utf8), [], [], .noAuth),
            ]
        for (payload, entity, authenticator, fault) in cases {
            let answer = try relay.receive(
                block(payload, correlation: [1, 2, 3], entity: entity, authenticator: authenticator))
            #expect(answer.error == .command(fault), "\(String(decoding: payload.prefix(8), as: UTF8.self))")
            #expect(answer.transmission?.correlationID == [1, 2, 3])
            #expect(answer.transmission?.entityID == entity)
        }
    }

    @Test func `12a: an authenticator of X25519 or Ed448 on PING is one too many`() throws {
        var relay = try TestRelay.accepted()
        for count in [80, 114] {
            let answer = try relay.receive(block("PING", authenticator: [UInt8](repeating: 0, count: count)))
            #expect(answer.error == .command(.hasAuth))
        }
    }

    @Test(arguments: [0, 3, 24, 255])
    func `12a: the answer repeats correlation and name`(_ count: Int) throws {
        var relay = try TestRelay.accepted()
        let correlation = [UInt8](repeating: 3, count: count)
        let request = try #require(
            relay.receive(
                block("FDEL", correlation: correlation, entity: [4, 5], authenticator: Self.signature)
            ).request)
        #expect(request.command == .delete && request.entityID?.bytes == [4, 5])
        let answer = try Transmission(block: relay.session.answer(.done, to: request))
        #expect(answer.correlationID == correlation && answer.entityID == [4, 5])
        #expect(answer.sessionID == TestRelay.sessionID && answer.authenticator == [])
        #expect(answer.payload == Array("OK".utf8))
    }

    @Test(arguments: [(UInt16(1), XFTPErrorCode.auth), (2, .auth), (3, .blocked(BlockingInfo(.spam)))])
    func `a blocked chunk is unknown to clients before version 3`(_ version: UInt16, _ error: XFTPErrorCode)
        throws
    {
        for mode in [RelaySession.Mode.native, .web] {
            var relay = try TestRelay.accepted(version: version, mode)
            let request = try #require(
                relay.receive(block("FDEL", entity: [1], authenticator: Self.signature)).request)
            let answer = relay.session.answer(.error(.blocked(BlockingInfo(.spam))), to: request)
            #expect(RelaySession.Action.respond(answer).error == error)
        }
    }

    @Test func `an answer that fits into no block is an internal error`() throws {
        var relay = try TestRelay.accepted()
        let request = try #require(
            relay.receive(block("FDEL", entity: [1], authenticator: Self.signature)).request)
        let id = try #require(EntityID([UInt8](repeating: 1, count: 255)))
        for response in [
            XFTPResponse.recipientsAdded([EntityID](repeating: id, count: 255)), .recipientsAdded([]),
            .file(try TestKeys.agreement(from: 1), nonce: []),
        ] {
            let answer = relay.session.answer(response, to: request)
            #expect(RelaySession.Action.respond(answer).error == .internal)
        }
    }
}
