import Foundation
import Testing
import ValiseSecrets

@testable import ValiseContentStore

/// A whole small store of a vector.
struct StoredFixture {
    static let names = [
        "store_main-2026-07_plain", "store_portable_plain", "store_portable_encrypted", "store_v0.5.0_plain",
        "store_v0.5.0_encrypted",
    ]

    let prefix: String
    /// By their keys.
    let objects: [String: [UInt8]]
    /// The paths.
    let files: [String]
    let keys: StoreKeys
    /// The content of each path.
    let contents: [String: [UInt8]]

    init(_ name: String) throws {
        let known = try StoreFixture.json(name)
        prefix = try known.required("prefix")
        let stored = try #require(known["objects"] as? [[String: Any]])
        var objects: [String: [UInt8]] = [:]
        for object in stored { objects[try object.required("key")] = try Self.content(of: object) }
        self.objects = objects
        files = try StoreFixture.list(name, "files").map { try $0.required("rel_path") }
        let isEncrypted = try #require(known["encrypted"] as? Bool)
        let master = try (known["master_key_hex"] as? String).map {
            StoreKey(try StoreFixture.seed(hexadecimal: $0))
        }
        keys = StoreKeys(master: isEncrypted ? master : nil)
        let alice = StoreBytes.xorshift(seed: 0x9e37_79b9_7f4a_7c15, count: 10001)
        contents = [
            "chats/2026/alice.jsonl": alice, "chats/2026/alice-copy.jsonl": alice, "empty.txt": [],
            "media/pic.bin": StoreBytes.xorshift(seed: 0x0123_4567, count: 70000),
        ]
    }

    private static func content(of object: [String: Any]) throws -> [UInt8] {
        if let text = object["text"] as? String { return text.utf8Bytes }
        return try object.base64("b64")
    }
}
