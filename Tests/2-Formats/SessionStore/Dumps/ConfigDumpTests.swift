import FaultInjection
import Testing
import ValiseEncoding
import ValiseSecrets

@testable import ValiseSessionStore

/// Dumps, signatures, and what is shown of them.
struct ConfigDumpTests {
    private static let id = [UInt8(5)] + [UInt8](repeating: 0xab, count: 32)

    /// A configuration with an account, a text, a number, and bytes that are no text.
    private func configuration() throws -> BencodeDictionary {
        let contact = try BencodeDictionary([
            .init("n", BencodeSamples.bytes("Zoë")), .init("q", .bytes(BencodeBytes(copying: [0xff, 0, 1]))),
            .init("+", .integer(-1)),
        ])
        let contacts = try BencodeDictionary([.init(Self.id, .dictionary(contact))])
        return try BencodeDictionary([
            .init("#", .integer(7)),
            .init("&", .dictionary(BencodeDictionary([.init("c", .dictionary(contacts))]))),
        ])
    }

    private func dump(
        _ entries: [BencodeDictionary.Entry], as kind: ConfigKind = .contacts
    ) throws -> ConfigDump {
        try ConfigDump(parsing: BencodeValue.dictionary(BencodeDictionary(entries)).encoded(), as: kind)
    }

    private func message() throws -> BencodeValue {
        let encoded = try BencodeValue.dictionary(configuration()).encoded()
        return .bytes(try encoded.bytes.withBytes { try BencodeBytes(copying: $0) })
    }

    @Test func `the fields that the fact sheet names are read, all others kept`() throws {
        let dump = try dump([
            .init("!", .integer(2)), .init("$", try message()), .init("(", try BencodeSamples.bytes("hash")),
            .init(")", .list([try BencodeSamples.bytes("old"), try BencodeSamples.bytes("older")])),
            .init("+", .dictionary(try BencodeDictionary())), .init("?", .integer(1)),
            .init("{", .list([])),
        ])
        #expect(dump.state == 2)
        #expect(dump.message?.tree == (try configuration()))
        #expect(dump.problem == nil)
        #expect(dump.currentHashes.map(\.text) == ["hash"])
        #expect(dump.oldHashes.map(\.text) == ["old", "older"])
        #expect(dump.extra == .dictionary(try BencodeDictionary()))
        #expect(dump.unknown.map(\.key) == [[UInt8(ascii: "?")], [UInt8(ascii: "{")]])
        let isSame = try BencodeValue.dictionary(dump.tree).encoded().bytes.equals(dump.raw.bytes)
        #expect(isSame)
        #expect(dump.message?.signature(by: [UInt8](repeating: 0, count: 32)) == ConfigMessage.Signature.none)
    }

    @Test(arguments: ConfigKind.allCases) func `a dump without anything known is shown as it is`(
        kind: ConfigKind
    ) throws {
        let dump = try dump(
            [.init("!", .list([])), .init("(", .integer(3)), .init("L", .integer(1))], as: kind)
        #expect(dump.kind == kind)
        #expect(dump.state == nil && dump.message == nil && dump.problem == nil && dump.extra == nil)
        #expect(dump.currentHashes.isEmpty && dump.oldHashes.isEmpty)
        #expect(dump.unknown.count == 3)
        #expect(try self.dump([], as: kind).unknown.isEmpty)
    }

    @Test func `several hashes, and none`() throws {
        let hashes = BencodeValue.list([try BencodeSamples.bytes("a"), try BencodeSamples.bytes("b")])
        #expect(try dump([.init("(", hashes)]).currentHashes.count == 2)
        #expect(try dump([.init("(", try BencodeSamples.bytes(""))]).currentHashes.isEmpty)
        let mixed = try dump([.init(")", .list([.integer(1)]))])
        #expect(mixed.oldHashes.isEmpty && mixed.unknown.count == 1)
    }

    @Test func `a damaged configuration leaves the rest of the dump`() throws {
        for content in ["", "d", "i1e", "d1:bi1e1:ai1ee"] {
            let dump = try dump([.init("!", .integer(0)), .init("$", try BencodeSamples.bytes(content))])
            #expect(dump.message == nil)
            #expect(dump.problem?.kind == .damaged)
            #expect(dump.state == 0)
            #expect(dump.unknown.isEmpty)
        }
        for document in ["", "i1e", "le", "d1:!i1e", "0:"] {
            #expect(throws: SessionStoreError.self) {
                try ConfigDump(parsing: AttachmentVectors.secret(Array(document.utf8)), as: .local)
            }
        }
    }

    @Test func `accounts are found by their IDs, at any level`() throws {
        let found = try configuration().accounts()
        #expect(found.map(\.id) == [AccountID(Self.id)])
        #expect(found.first?.value.dictionaryValue?["n"]?.bytesValue?.text == "Zoë")
        #expect(try dump([.init("$", message())]).message?.tree.accounts().count == 1)
    }

    @Test func `what is shown has the keys as they are, and bytes only where they are asked for`() throws {
        let hidden = ConfigView().json(try configuration()).jsonText
        let id = "05" + String(repeating: "ab", count: 32)
        #expect(hidden == "{\"#\":7,\"&\":{\"c\":{\"\(id)\":{\"+\":-1,\"n\":\"Zoë\",\"q\":{\"bytes\":3}}}}}")
        let shown = ConfigView(showsBytes: true).json(try configuration()).jsonText
        #expect(shown.contains("\"q\":{\"bytes\":3,\"hex\":\"ff0001\"}"))
        let odd = try BencodeDictionary([
            .init([0xff, 0x01], .large(.max)), .init("a", .list([.bytes(BencodeBytes(copying: Self.id))])),
            .init("b", BencodeSamples.bytes("two\nlines")), .init("c", BencodeSamples.bytes("\u{1b}[31m")),
        ])
        #expect(
            ConfigView().json(.dictionary(odd)).jsonText
                == "{\"a\":[\"\(id)\"],\"b\":\"two\\nlines\",\"c\":{\"bytes\":5},\"0xff01\":18446744073709551615}"
        )
    }

    @Test func `kinds have their names, whatever their letters`() {
        #expect(ConfigKind(named: "UserProfile") == .userProfile)
        #expect(ConfigKind(named: "convoInfoVolatile") == .convoInfoVolatile)
        #expect(ConfigKind(named: "GROUPKEYS") == .groupKeys)
        #expect(ConfigKind(named: "groups") == nil)
        #expect(ConfigKind.allCases.filter(\.isOfGroup) == [.groupInfo, .groupMembers, .groupKeys])
    }

    // MARK: Signatures

    /// By PyNaCl.
    @Test func `a signature of another program is verified`() throws {
        let vector = try #require(try AttachmentVectors.json("peers")["signed"] as? [String: Any])
        let document = try AttachmentVectors.bytes(vector, hexadecimal: "hex")
        let key = try AttachmentVectors.bytes(vector, hexadecimal: "public_hex")
        let message = try ConfigMessage(parsing: AttachmentVectors.secret(document))
        #expect(message.signature(by: key) == .valid)
        #expect(message.signature(by: [UInt8](repeating: 1, count: 32)) == .invalid)
        #expect(message.signature(by: []) == .invalid)
        var taken = 0
        for place in document.indices {
            var changed = document
            changed[place] ^= 1
            guard let other = try? ConfigMessage(parsing: AttachmentVectors.secret(changed)) else { continue }
            taken += 1
            #expect(other.signature(by: key) != .valid, "byte \(place)")
        }
        #expect(taken > 60)
    }

    @Test func `what only looks like a signature is none, or invalid`() throws {
        func signature(_ text: String) throws -> ConfigMessage.Signature {
            try ConfigMessage(parsing: AttachmentVectors.secret(Array(text.utf8))).signature(
                by: [UInt8](repeating: 1, count: 32))
        }
        #expect(try signature("de") == ConfigMessage.Signature.none)
        #expect(try signature("d1:~3:abce") == .invalid)
        #expect(try signature("d1:~i1ee") == .invalid)
        #expect(try signature("d1:~0:2:~~0:e") == ConfigMessage.Signature.none)
        #expect(try signature("d1:~64:" + String(repeating: "s", count: 64) + "e") == .invalid)
    }
}
