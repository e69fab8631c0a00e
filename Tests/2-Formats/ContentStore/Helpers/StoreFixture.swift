import Foundation
import TestPeers
import Testing
import ValiseEncoding
import ValiseSecrets

@testable import ValiseContentStore

/// The vectors of the format, which independent programs made (Fixtures/README.json says which).
enum StoreFixture {
    /// The programs that judge what is computed here; nil where the set-up did not get them.
    static let peers = OtherProgram.cached("store-peers/bin/python")

    static func json(_ name: String) throws -> [String: Any] {
        let url = Repository.url("Tests/2-Formats/ContentStore/Fixtures/\(name).json")
        return try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
    }

    /// The objects of a list in it.
    static func list(_ name: String, _ keys: String...) throws -> [[String: Any]] {
        try #require(try value(name, keys) as? [[String: Any]])
    }

    /// What is below some keys.
    static func value(_ name: String, _ keys: [String]) throws -> Any {
        var value: Any = try json(name)
        for key in keys { value = try #require((value as? [String: Any])?[key]) }
        return value
    }

    static func text(_ name: String, _ keys: String...) throws -> String {
        try #require(try value(name, keys) as? String)
    }

    static func seed(hexadecimal text: String) throws -> SecretSeed {
        try SecretSeed(copying: try #require(Hexadecimal.decode(text)))
    }

    /// The document of a name.
    static func document(_ name: String) throws -> [UInt8] {
        let documents = try list("documents", "docs")
        return try documents.first { $0["name"] as? String == name }.required("text").utf8Bytes
    }
}

/// The generators that the vectors describe.
enum StoreBytes {
    static func xorshift(seed: UInt64, count: Int) -> [UInt8] {
        var state = seed
        return [UInt8](unsafeUninitializedCapacity: count + 8) { memory, filled in
            filled = 0
            let raw = UnsafeMutableRawBufferPointer(memory)
            while filled < count {
                state ^= state >> 12
                state ^= state << 25
                state ^= state >> 27
                raw.storeBytes(
                    of: (state &* 0x2545_f491_4f6c_dd1d).littleEndian, toByteOffset: filled, as: UInt64.self)
                filled += 8
            }
            filled = count
        }
    }

    /// What the input of a case is.
    static func make(_ input: [String: Any]) throws -> [UInt8] {
        let count = try #require(input["len"] as? Int)
        var bytes: [UInt8]
        switch try #require(input["kind"] as? String) {
        case "xorshift64star":
            let seed = try #require((input["seed_hex"] as? String).flatMap { UInt64($0, radix: 16) })
            bytes = xorshift(seed: seed, count: count)
        case "repeat":
            bytes = [UInt8](repeating: UInt8(try #require(input["byte"] as? Int)), count: count)
        case "cycle256": bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        case "mul7": bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 3) }
        case let other:
            Issue.record("an unknown generator: \(other)")
            bytes = []
        }
        if let insert = input["insert"] as? [String: Any] {
            bytes.insert(
                UInt8(try #require(insert["byte"] as? Int)), at: try #require(insert["offset"] as? Int))
        }
        return bytes
    }
}

extension Dictionary where Key == String, Value == Any {
    func required(_ key: String) throws -> String { try #require(self[key] as? String, "\(key)") }

    func number(_ key: String) throws -> Int { try #require(self[key] as? Int, "\(key)") }

    /// The bytes of a text of Base 64.
    func base64(_ key: String) throws -> [UInt8] {
        [UInt8](try #require(Data(base64Encoded: try required(key)), "\(key)"))
    }

    func hexadecimal(_ key: String) throws -> [UInt8] {
        try #require(Hexadecimal.decode(try required(key)), "\(key)")
    }
}

extension [String: Any]? {
    func required(_ key: String) throws -> String { try #require(self).required(key) }
}

extension String {
    var utf8Bytes: [UInt8] { Array(utf8) }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}
