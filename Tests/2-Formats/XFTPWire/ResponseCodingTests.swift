import Testing

@testable import ValiseXFTPWire

/// Fixtures/wire/commands.json: answers.
@Suite struct ResponseCodingTests {
    private func id(_ first: UInt8) throws -> EntityID { try #require(EntityID(first..<first + 16)) }

    @Test func `every answer of the vectors is written and read`() throws {
        let answers: [(String, XFTPResponse)] = [
            ("SIDS", .created(sender: try id(1), recipients: [try id(0x11), try id(0x21)])),
            ("RIDS", .recipientsAdded([try id(1), try id(0x11)])),
            ("FILE", .file(PublicKey(.x25519, Array(1...32)), nonce: Array(0xC9...0xE0))),
            ("OK", .done), ("PONG", .pong),
        ]
        for (name, answer) in answers {
            let bytes = try WireFixture.vector("commands", name).hex("hex")
            #expect(try answer.encoded == bytes, "\(name)")
            #expect(try XFTPResponse(decoding: bytes) == answer, "\(name)")
        }
    }

    @Test func `every error of the vectors is written and read`() throws {
        var count = 0
        for vector in try WireFixture.vectors("commands") {
            guard let text = vector["text"] as? String else { continue }
            let error = try #require(XFTPErrorCode(text: text.dropFirst(4)), "\(text)")
            #expect(try XFTPResponse.error(error).encoded == vector.hex("hex"))
            #expect(try XFTPResponse(decoding: vector.hex("hex")) == .error(error))
            count += 1
        }
        #expect(count == 22)
    }

    @Test func `an answer that is not whole or has more is refused`() throws {
        let answers: [XFTPResponse] = [
            .created(sender: try id(1), recipients: [try id(2)]), .recipientsAdded([try id(1)]),
            .file(try TestKeys.agreement(from: 1), nonce: Array(0..<24)),
        ]
        for answer in answers {
            let bytes = try answer.encoded
            #expect(throws: XFTPWireError.self) { try XFTPResponse(decoding: bytes + [0]) }
            for count in 0..<bytes.count {
                #expect(throws: XFTPWireError.self) { try XFTPResponse(decoding: Array(bytes.prefix(count))) }
            }
        }
        for text in [
            "OK ", "OK x", "PONG ", "OKx", "", "ERR", "ERR ", "ERR auth", "ERR AUTH ", "SIDS", "NO",
            "O\u{212A}", "ERR BLOC\u{212A}",
        ] {
            #expect(throws: XFTPWireError.self, "\(text)") { try XFTPResponse(decoding: Array(text.utf8)) }
        }
    }

    @Test func `an answer has no empty name, and FILE a key of X25519`() throws {
        #expect(throws: XFTPWireError.self) {
            try XFTPResponse(decoding: Array("SIDS ".utf8) + [0, 1, 1, 7])
        }
        #expect(throws: XFTPWireError.self) { try XFTPResponse(decoding: Array("RIDS ".utf8) + [1, 0]) }
        let key = try TestKeys.signing(from: 1).spki
        #expect(throws: XFTPWireError.self) {
            try XFTPResponse(decoding: Array("FILE ".utf8) + [44] + key + [UInt8](repeating: 0, count: 24))
        }
        #expect(throws: XFTPWireError.self) {
            _ = try XFTPResponse.file(TestKeys.agreement(from: 1), nonce: [1]).encoded
        }
    }

    @Test func `the older name of a fault is read, and the newer one written`() {
        #expect(XFTPErrorCode(text: "CMD NO_QUEUE") == .command(.noEntity))
        #expect(XFTPErrorCode.command(.noEntity).text == "CMD NO_ENTITY")
        #expect(XFTPErrorCode(text: "DUPLICATE_") == .duplicate)
    }

    @Test func `a block by the operator carries its reason, and perhaps a notice`() {
        let forever = BlockingInfo(.content, notice: .init(ttl: nil))
        #expect(forever.text == "reason=content,notice={}")
        for info in [
            BlockingInfo(.spam), BlockingInfo(.content, notice: .init(ttl: 86_400)), forever,
            BlockingInfo(.spam, notice: .init(ttl: -1)), BlockingInfo(.spam, notice: .init(ttl: .max)),
        ] {
            #expect(XFTPErrorCode(text: XFTPErrorCode.blocked(info).text) == .blocked(info))
        }
        // Fields of a newer relay do not hurt.
        #expect(BlockingInfo(text: #"reason=spam,notice={"ttl":5,"x":[1]}"#)?.notice?.ttl == 5)
        for text in [
            "", "reason=", "reason=other", "reason=spam,", "reason=spam,notice=", "reason=spam,notice={",
            "reason=spam,notice=5", #"reason=spam,notice={"ttl":"x"}"#, "reason=spam,x", "spam",
        ] {
            #expect(BlockingInfo(text: text) == nil, "\(text)")
            #expect(XFTPErrorCode(text: "BLOCKED \(text)") == nil, "\(text)")
        }
    }
}
