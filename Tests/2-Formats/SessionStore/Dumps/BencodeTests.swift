import FaultInjection
import Testing
import ValiseEncoding
import ValiseSecrets

@testable import ValiseSessionStore

/// bt-encoding: what is read, what is written, and that both are one form.
struct BencodeTests {
    /// By the package `bencode2` of PyPI.
    @Test func `another program's documents are read and written`() throws {
        let cases = try AttachmentVectors.cases("peers", "bencode")
        #expect(cases.count == 67)
        for vector in cases {
            let document = try AttachmentVectors.bytes(vector, hexadecimal: "hex")
            let tree = try #require(vector["tree"] as? [String: Any])
            let value = try BencodeSamples.value(tree)
            #expect(try BencodeSamples.parse(document) == value)
            #expect(try BencodeSamples.encode(value) == document)
        }
    }

    @Test func `random values come back`() throws {
        var random = SeededGenerator(seed: AttachmentVectors.runSeed("bt-encoding"))
        for _ in 0..<400 {
            let value = try BencodeSamples.random(&random)
            let document = try BencodeSamples.encode(value)
            #expect(try BencodeSamples.parse(document) == value)
            #expect(try BencodeSamples.encode(BencodeSamples.parse(document)) == document)
        }
    }

    @Test func `there is one form: whatever is read is written as it was`() throws {
        var random = SeededGenerator(seed: AttachmentVectors.runSeed("mutated bt-encoding"))
        let alphabet = Array("0123456789ilde:-ab".utf8)
        var taken = 0
        for _ in 0..<6000 {
            var document = try BencodeSamples.encode(BencodeSamples.random(&random))
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<document.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: document[place] = alphabet.randomElement(using: &random) ?? 0
                case 1: document.insert(alphabet.randomElement(using: &random) ?? 0, at: place)
                default: if document.count > 1 { document.remove(at: place) }
                }
            }
            guard let value = try? BencodeSamples.parse(document) else { continue }
            taken += 1
            #expect(try BencodeSamples.encode(value) == document)
        }
        #expect(taken > 50)
    }

    @Test func `numbers go from the smallest with a sign to the largest without`() throws {
        #expect(try BencodeSamples.parse("i0e") == .integer(0))
        #expect(try BencodeSamples.parse("i-9223372036854775808e") == .integer(.min))
        #expect(try BencodeSamples.parse("i9223372036854775807e") == .integer(.max))
        #expect(try BencodeSamples.parse("i9223372036854775808e") == .large(1 << 63))
        #expect(try BencodeSamples.parse("i18446744073709551615e") == .large(.max))
        #expect(BencodeValue(7) == .integer(7))
        for text in [
            "i18446744073709551616e", "i-9223372036854775809e", "i99999999999999999999e", "i-0e", "i00e",
            "i01e",
            "i-01e", "ie", "i-e", "i+1e", "i1", "i1.0e", "i 1e", "i--1e", "i", "i100000000000000000000e",
        ] {
            #expect(BencodeSamples.refusal(Array(text.utf8)) == .damaged, "\(text)")
        }
    }

    @Test func `lengths have one form and their bytes`() throws {
        #expect(try BencodeSamples.parse("0:") == BencodeSamples.bytes(""))
        #expect(try BencodeSamples.parse("10:abcdefghij") == BencodeSamples.bytes("abcdefghij"))
        for text in [
            "00:", "01:a", "1:", "2:a", "-1:a", "1a", "1", ":", ":a", "9999999999:a", "99999999999:a",
            "18446744073709551617:a", "9223372036854775807:a", "1:ab", "4294967297:a",
        ] {
            #expect(BencodeSamples.refusal(Array(text.utf8)) == .damaged, "\(text)")
        }
    }

    @Test func `keys are strings, in the order of their bytes, each once`() throws {
        let value = try BencodeSamples.parse("d0:i1e1:ai2e2:aai3e1:bi4e1:\u{7f}i5ee")
        #expect(value.dictionaryValue?[""] == .integer(1))
        #expect(value.dictionaryValue?["a"] == .integer(2))
        #expect(value.dictionaryValue?["aa"] == .integer(3))
        #expect(value.dictionaryValue?["b"] == .integer(4))
        #expect(value.dictionaryValue?["\u{7f}"] == .integer(5))
        #expect(value.dictionaryValue?["ab"] == nil)
        for text in [
            "d1:bi1e1:ai2ee", "d1:ai1e1:ai2ee", "d2:aai1e1:ai2ee", "di1ei2ee", "dle1:ae", "d1:ae", "d1:ai1e",
            "d", "dd", "l", "li1e", "e", "le1:", "dee", "lee", "", "x", "n", "\0",
        ] {
            #expect(BencodeSamples.refusal(Array(text.utf8)) == .damaged, "\(text)")
        }
        #expect(throws: SessionStoreError.self) {
            try BencodeDictionary([.init("a", .integer(1)), .init("b", .integer(1)), .init("a", .integer(2))])
        }
    }

    @Test func `depth, number and size are limited, and nothing of it needs a deep stack`() throws {
        func nested(_ count: Int) -> [UInt8] {
            [UInt8](repeating: UInt8(ascii: "l"), count: count)
                + [UInt8](repeating: UInt8(ascii: "e"), count: count)
        }
        #expect(BencodeSamples.refusal(nested(32)) == nil)
        #expect(BencodeSamples.refusal(nested(33)) == .unsupported)
        #expect(BencodeSamples.refusal(nested(2_000_000)) == .unsupported)
        #expect(BencodeSamples.refusal([UInt8](repeating: UInt8(ascii: "d"), count: 1000)) == .damaged)
        #expect(BencodeSamples.refusal(Array(String(repeating: "d1:a", count: 1000).utf8)) == .unsupported)
        // No caller can ask for more levels than the stack has.
        #expect(BencodeSamples.refusal(nested(5000), BencodeLimits(depth: .max)) == .unsupported)
        let many = Array(("l" + String(repeating: "le", count: 200_000) + "e").utf8)
        #expect(BencodeSamples.refusal(many) == .unsupported)
        #expect(BencodeSamples.refusal(many, BencodeLimits(values: 200_001)) == nil)
        #expect(BencodeSamples.refusal(Array("3:abc".utf8), BencodeLimits(size: 5)) == nil)
        #expect(BencodeSamples.refusal(Array("4:abcd".utf8), BencodeLimits(size: 5)) == .unsupported)
    }

    @Test func `a document that is cut is refused, wherever`() throws {
        var random = SeededGenerator(seed: AttachmentVectors.runSeed("cut bt-encoding"))
        for _ in 0..<60 {
            let document = try BencodeSamples.encode(BencodeSamples.random(&random))
            for count in 0..<document.count {
                #expect(BencodeSamples.refusal(Array(document.prefix(count))) == .damaged)
            }
            #expect(BencodeSamples.refusal(document + [UInt8(ascii: "e")]) == .damaged)
        }
    }

    @Test func `nothing prints what strings contain`() throws {
        let value = try BencodeSamples.parse("d1:al6:secretee")
        #expect(!"\(value)".contains("secret"))
        #expect(!String(reflecting: try #require(value.dictionaryValue?["a"])).contains("secret"))
    }
}
