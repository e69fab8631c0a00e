import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseSecrets

@testable import ValiseXFTPWire

/// Fixtures/wire/commands.json: commands.
@Suite struct CommandCodingTests {
    @Test(arguments: [
        ("FPUT", XFTPCommand.upload), ("FDEL", .delete), ("FACK", .acknowledge), ("PING", .ping),
    ])
    func `a command without parameters is its word`(_ name: String, _ command: XFTPCommand) throws {
        let bytes = try WireFixture.vector("commands", name).hex("hex")
        #expect(try command.encoded == bytes)
        #expect(try XFTPCommand(decoding: bytes) == command)
    }

    @Test func `a new chunk is written as the vectors have it`() throws {
        let chunk = NewChunk(
            senderKey: try TestKeys.signing(from: 1), size: 65_536, digest: SHA256.hash(Array("abc".utf8)),
            recipientKeys: [try TestKeys.signing(from: 0x21)], password: RelayPassword("pwd"))
        let bytes = try WireFixture.vector("commands", "FNEW realistic").hex("hex")
        #expect(try XFTPCommand.create(chunk).encoded == bytes)
        #expect(try XFTPCommand(decoding: bytes) == .create(chunk))
    }

    @Test func `a download is written as the vectors have it`() throws {
        let command = XFTPCommand.download(try TestKeys.agreement(from: 0x41))
        let bytes = try WireFixture.vector("commands", "FGET realistic").hex("hex")
        #expect(try command.encoded == bytes)
        #expect(try XFTPCommand(decoding: bytes) == command)
    }

    /// Those vectors have keys of 8 bytes, which only their order of fields speaks for.
    @Test func `the fields of the vectors with short keys stand in our order`() throws {
        for vector in try WireFixture.vectors("commands") where vector["rcvKeys"] != nil {
            var bytes = Array("FNEW ".utf8)
            let keys = try #require(vector["rcvKeys"] as? [String]).map(hex)
            let info = try WireFixture.vector("commands", "FileInfo")
            try bytes.append(short: info.hex("sndKey"))
            bytes.append(bigEndian: UInt32(try #require(info["size"] as? Int)))
            try bytes.append(short: info.hex("digest"))
            #expect(try Array(bytes.dropFirst(5)) == info.hex("hex"))
            try bytes.append(list: keys)
            try bytes.append(optional: vector.optionalHex("auth"))
            #expect(try bytes == vector.hex("hex"))
            #expect(throws: XFTPErrorCode.CommandFault.syntax) {
                try XFTPCommand(decoding: vector.hex("hex"))
            }
        }
        for (name, word) in [("FADD", "FADD "), ("FGET", "FGET ")] {
            let vector = try WireFixture.vector("commands", name)
            #expect(try vector.hex("hex").starts(with: Array(word.utf8)))
            #expect(throws: XFTPErrorCode.CommandFault.syntax) {
                try XFTPCommand(decoding: vector.hex("hex"))
            }
        }
    }

    @Test func `more recipients are added by keys of every kind`() throws {
        let keys = PublicKey.Algorithm.allCases.map(CommandAuthenticator.dummy)
        let command = XFTPCommand.addRecipients(keys)
        #expect(try XFTPCommand(decoding: command.encoded) == command)
        #expect(try command.encoded.starts(with: Array("FADD ".utf8) + [3, 44] + keys[0].spki))
    }

    @Test func `12a: words and their parameters are told apart as the official relay does`() throws {
        for word in ["PINGx", "FOOO", "ping", "", " ", " PING", "FNEWX", "PING\0", "FAC\u{212A}"] {
            #expect(throws: XFTPErrorCode.CommandFault.unknown, "\(word)") {
                try XFTPCommand(decoding: Array(word.utf8))
            }
        }
        for word in [
            "PING ", "PING x", "FPUT ", "FDEL x", "FACK  ", "FNEW", "FNEW ", "FADD", "FADD ", "FGET", "FGET ",
        ] {
            #expect(throws: XFTPErrorCode.CommandFault.syntax, "\(word)") {
                try XFTPCommand(decoding: Array(word.utf8))
            }
        }
    }

    @Test func `12a: a digest may have any length`() throws {
        for count in [0, 1, 31, 33, 255] {
            let command = XFTPCommand.create(try chunk(digest: [UInt8](repeating: 9, count: count)))
            #expect(try XFTPCommand(decoding: command.encoded) == command)
        }
        #expect(throws: XFTPWireError.self) {
            _ = try XFTPCommand.create(chunk(digest: [UInt8](repeating: 9, count: 256))).encoded
        }
    }

    @Test func `12a: no recipients are a fault of syntax`() throws {
        let whole = try XFTPCommand.create(chunk()).encoded
        // FNEW, space, key, size, digest: the count stands behind them.
        let count = 5 + 45 + 4 + 33
        let none = whole[..<count] + [0] + [UInt8(ascii: "0")]
        #expect(throws: XFTPErrorCode.CommandFault.syntax) { try XFTPCommand(decoding: Array(none)) }
        #expect(throws: XFTPErrorCode.CommandFault.syntax) {
            try XFTPCommand(decoding: Array("FADD ".utf8) + [0])
        }
    }

    @Test func `12a: a download takes a key of X25519 only`() throws {
        for algorithm in [PublicKey.Algorithm.ed25519, .ed448] {
            let key = CommandAuthenticator.dummy(algorithm).spki
            #expect(throws: XFTPErrorCode.CommandFault.syntax) {
                try XFTPCommand(decoding: Array("FGET ".utf8) + [UInt8(key.count)] + key)
            }
        }
    }

    @Test func `commands are consumed whole: a byte more or less is a fault of syntax (trap 17)`() throws {
        let commands: [XFTPCommand] = [
            .create(try chunk()), .addRecipients([try TestKeys.signing(from: 1)]),
            .download(try TestKeys.agreement(from: 1)),
        ]
        for command in commands {
            let bytes = try command.encoded
            #expect(throws: XFTPErrorCode.CommandFault.syntax) { try XFTPCommand(decoding: bytes + [0]) }
            for count in 4..<bytes.count {
                #expect(throws: XFTPErrorCode.CommandFault.syntax) {
                    try XFTPCommand(decoding: Array(bytes.prefix(count)))
                }
            }
        }
    }

    @Test func `a password is compared by its bytes, and not printed (trap 12)`() throws {
        // "é" of one scalar and of two are the same text to Swift.
        #expect(RelayPassword("caf\u{E9}") != RelayPassword("cafe\u{301}"))
        #expect("\(RelayPassword("secret"))" == "<redacted>")
        var reached: RelayPassword?
        let raw = try XFTPCommand.create(chunk()).encoded.dropLast() + [UInt8(ascii: "1"), 2, 0xFF, 0xFE]
        if case .create(let chunk) = try XFTPCommand(decoding: Array(raw)) { reached = chunk.password }
        #expect(reached?.bytes == [0xFF, 0xFE])
        #expect(try XFTPCommand(decoding: Array(raw)).encoded == Array(raw))
    }

    @Test func `255 keys are written, 256 or none are not`() throws {
        let keys = [PublicKey](repeating: try TestKeys.signing(from: 1), count: 256)
        #expect(try XFTPCommand.addRecipients(Array(keys.dropLast())).encoded.count == 6 + 255 * 45)
        #expect(throws: XFTPWireError.self) { _ = try XFTPCommand.addRecipients(keys).encoded }
        #expect(throws: XFTPWireError.self) { _ = try XFTPCommand.addRecipients([]).encoded }
    }

    private func chunk(digest: [UInt8] = [UInt8](repeating: 5, count: 32)) throws -> NewChunk {
        NewChunk(
            senderKey: try TestKeys.signing(from: 1), size: 65_536, digest: digest,
            recipientKeys: [try TestKeys.signing(from: 0x21)])
    }
}
