import Foundation
import TestPeers
import Testing

/// The vectors of Fixtures/chat-log, one object a line.
enum ChatLogVectors {
    /// Those of a file.
    static func lines(_ name: String) throws -> [[String: Any]] {
        let text = try String(
            contentsOf: Repository.beside("Fixtures/chat-log/\(name).jsonl"), encoding: .utf8)
        return try text.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }
    }

    /// Those of items and columns of one type, with what is expected.
    static func items(_ type: String) throws -> [Vector] {
        try lines("items").filter { $0["type"] as? String == type }.map {
            Vector(
                number: try #require($0["n"] as? Int), values: $0,
                expected: try #require($0["expect"] as? [String: Any]))
        }
    }

    struct Vector {
        let number: Int
        let values: [String: Any]
        let expected: [String: Any]

        func expects(_ key: String) -> String? { expected[key] as? String }
    }
}
