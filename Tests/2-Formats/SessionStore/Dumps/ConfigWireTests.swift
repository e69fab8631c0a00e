import FaultInjection
import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseSecrets

@testable import ValiseSessionStore

/// Configurations as they are on the network.
struct ConfigWireTests {
    private static func kind(_ body: () throws -> Void) -> SessionStoreError.Kind? {
        do {
            try body()
            return nil
        } catch {
            return (error as? SessionStoreError)?.kind
        }
    }

    /// By PyNaCl, hashlib and `zstandard` of PyPI.
    @Test func `another program's messages are read, and written the same where they are not packed`() throws
    {
        let cases = try AttachmentVectors.cases("peers", "config_messages")
        #expect(cases.count == 18)
        for vector in cases {
            let sealed = try AttachmentVectors.bytes(vector, hexadecimal: "hex")
            let key = try AttachmentVectors.seed(vector, "key_hex")
            let domain = try #require(vector["domain"] as? String)
            let message = try ConfigWire.open(sealed, keys: [key], domain: domain)
            let content = message.bytes.withBytes { Array($0) }
            #expect(content.count == vector["content_size"] as? Int)
            #expect(Hexadecimal.encode(SHA256.hash(content)) == vector["content_sha256"] as? String)
            _ = try ConfigMessage(parsing: message)
            guard vector["packed"] as? Bool == false else { continue }
            let step = try #require(vector["step"] as? Int)
            #expect(
                try ConfigWire.seal(message, key: key, domain: domain, packing: false, step: step) == sealed)
        }
    }

    @Test func `every length and step comes back`() throws {
        var random = SeededGenerator(seed: AttachmentVectors.runSeed("configurations"))
        for step in ConfigWire.steps {
            for count in [0, 1, 200, 213, 214, 215, 216, 217, 1000, 6000, 90_000] {
                let value = BencodeValue.dictionary(
                    try BencodeDictionary([
                        .init(
                            "a", .bytes(try BencodeBytes(copying: AttachmentVectors.random(count, &random))))
                    ]))
                let message = try value.encoded()
                let key = try SecretSeed(copying: AttachmentVectors.random(32, &random))
                for packing in [false, true] {
                    let sealed = try ConfigWire.seal(
                        message, key: key, domain: "Contacts", packing: packing, step: step)
                    #expect(sealed.count % step == 0)
                    let other = try SecretSeed()
                    let opened = try ConfigWire.open(sealed, keys: [other, key], domain: "Contacts")
                    let isSame = opened.bytes.equals(message.bytes)
                    #expect(isSame)
                    // The same message is the same everywhere.
                    let again = try ConfigWire.seal(
                        message, key: key, domain: "Contacts", packing: packing, step: step)
                    #expect(again == sealed)
                }
            }
        }
    }

    @Test func `another key, another purpose and damage are refused`() throws {
        let message = try AttachmentVectors.secret(Array("d1:a1:be".utf8))
        let key = try SecretSeed()
        let sealed = try ConfigWire.seal(message, key: key, domain: "Contacts")
        #expect(Self.kind { _ = try ConfigWire.open(sealed, keys: [key], domain: "Contacts") } == nil)
        #expect(Self.kind { _ = try ConfigWire.open(sealed, keys: [], domain: "Contacts") } == .noKey)
        #expect(
            Self.kind { _ = try ConfigWire.open(sealed, keys: [SecretSeed()], domain: "Contacts") }
                == .wrongKey)
        #expect(Self.kind { _ = try ConfigWire.open(sealed, keys: [key], domain: "contacts") } == .wrongKey)
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 0x20
            #expect(
                Self.kind { _ = try ConfigWire.open(changed, keys: [key], domain: "Contacts") } == .wrongKey)
        }
        for count in 0...40 {
            let cut = Array(sealed.prefix(count))
            #expect(Self.kind { _ = try ConfigWire.open(cut, keys: [key], domain: "Contacts") } == .damaged)
        }
        let long = String(repeating: "d", count: 33)
        #expect(Self.kind { _ = try ConfigWire.open(sealed, keys: [key], domain: long) } == .invalid)
        #expect(Self.kind { _ = try ConfigWire.seal(message, key: key, domain: long) } == .invalid)
        #expect(Self.kind { _ = try ConfigWire.seal(message, key: key, domain: "a", step: 100) } == .invalid)
    }

    /// Whoever has the key can still send anything.
    @Test func `what was encrypted well may still be hostile`() throws {
        let key = try SecretSeed()
        func kind(_ content: [UInt8]) throws -> SessionStoreError.Kind? {
            // As it is, without packing.
            let sealed = try ConfigWire.seal(
                AttachmentVectors.secret(content), key: key, domain: "a", packing: false)
            return Self.kind { _ = try ConfigWire.open(sealed, keys: [key], domain: "a") }
        }
        #expect(try kind([]) == .damaged)
        #expect(try kind([0, 0, 0]) == .damaged)
        #expect(try kind(Array("i1e".utf8)) == .unsupported)
        #expect(try kind(Array("m".utf8)) == .unsupported)
        #expect(try kind(Array("z".utf8)) == .damaged)
        #expect(
            try kind(ConfigPacking.pack(AttachmentVectors.secret([])).bytes.withBytes { Array($0) })
                == .damaged)
        #expect(try kind(Array("zabc".utf8)) == .damaged)
        let zeros = try AttachmentVectors.secret([UInt8](repeating: 0x64, count: 5 << 20))
        let bomb = try ConfigPacking.pack(zeros).bytes.withBytes { Array($0) }
        #expect(bomb.count < 2000)
        #expect(try kind(bomb) == .unsupported)
        #expect(
            try kind(Array(bomb.dropLast(3))) == .damaged || kind(Array(bomb.dropLast(3))) == .unsupported)
    }
}
