import FaultInjection
import Testing
import ValiseEncoding
import ValiseSecrets

@testable import ValiseSessionStore

/// Values and documents of bt-encoding.
enum BencodeSamples {
    static func parse(
        _ bytes: [UInt8], _ limits: BencodeLimits = BencodeLimits()
    ) throws -> BencodeValue {
        try BencodeValue(parsing: AttachmentVectors.secret(bytes), limits: limits)
    }

    static func parse(_ text: String) throws -> BencodeValue { try parse(Array(text.utf8)) }

    static func encode(_ value: BencodeValue) throws -> [UInt8] {
        try value.encoded().bytes.withBytes { Array($0) }
    }

    /// Why a document is refused; nil where it is not.
    static func refusal(
        _ bytes: [UInt8], _ limits: BencodeLimits = BencodeLimits()
    ) -> SessionStoreError.Kind? {
        do {
            _ = try parse(bytes, limits)
            return nil
        } catch {
            return (error as? SessionStoreError)?.kind
        }
    }

    static func bytes(_ text: String) throws -> BencodeValue {
        .bytes(try BencodeBytes(copying: Array(text.utf8)))
    }

    /// What the golden file says of a value: `i` a number, `b` bytes, `l` a list, `d` pairs.
    static func value(_ tree: [String: Any]) throws -> BencodeValue {
        if let number = tree["i"] as? String {
            return .integer(try #require(Int64(number)))
        }
        if let text = tree["b"] as? String {
            let bytes = try #require(Hexadecimal.decode(text))
            return .bytes(try BencodeBytes(copying: bytes))
        }
        if let values = tree["l"] as? [[String: Any]] { return .list(try values.map { try value($0) }) }
        let pairs = try #require(tree["d"] as? [[Any]])
        return .dictionary(
            try BencodeDictionary(
                pairs.map { pair in
                    let text = try #require(pair[0] as? String)
                    let key = try #require(Hexadecimal.decode(text))
                    let content = try #require(pair[1] as? [String: Any])
                    return BencodeDictionary.Entry(key, try value(content))
                }))
    }

    static func random(_ random: inout SeededGenerator, depth: Int = 0) throws -> BencodeValue {
        switch Int.random(in: 0..<(depth < 4 ? 6 : 3), using: &random) {
        case 0: return .integer(Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random))
        case 1: return BencodeValue(random.next() >> UInt64.random(in: 0..<64, using: &random))
        case 2, 3:
            let count = Int.random(in: 0...12, using: &random)
            return .bytes(try BencodeBytes(copying: AttachmentVectors.random(count, &random)))
        case 4:
            let count = Int.random(in: 0...4, using: &random)
            return .list(try (0..<count).map { _ in try self.random(&random, depth: depth + 1) })
        default:
            var keys: Set<[UInt8]> = []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                keys.insert(AttachmentVectors.random(Int.random(in: 0...3, using: &random), &random))
            }
            return .dictionary(
                try BencodeDictionary(
                    keys.map { BencodeDictionary.Entry($0, try self.random(&random, depth: depth + 1)) }))
        }
    }
}
