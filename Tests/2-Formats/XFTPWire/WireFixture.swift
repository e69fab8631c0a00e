import Foundation
import TestPeers
import Testing
import ValiseCryptography
import ValiseEncoding

@testable import ValiseXFTPWire

/// The vectors of Fixtures/wire, as their files have them: one object for each, values by name.
enum WireFixture {
    static func file(_ name: String) throws -> [String: Any] {
        let url = Repository.beside("Fixtures/wire/\(name).json")
        return try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any], "\(name).json")
    }

    static func vectors(_ name: String) throws -> [[String: Any]] {
        try #require(file(name)["vectors"] as? [[String: Any]], "the vectors of \(name).json")
    }

    static func vector(_ file: String, _ name: String) throws -> [String: Any] {
        try #require(vectors(file).first { ($0["name"] as? String)?.hasPrefix(name) == true }, "\(name)")
    }
}

extension [String: Any] {
    func text(_ key: String) throws -> String { try #require(self[key] as? String, "\(key)") }
    func hex(_ key: String) throws -> [UInt8] { try #require(Hexadecimal.decode(text(key)), "\(key)") }
    func object(_ key: String) throws -> [String: Any] {
        try #require(self[key] as? [String: Any], "\(key)")
    }
    func objects(_ key: String) throws -> [[String: Any]] {
        try #require(self[key] as? [[String: Any]], "\(key)")
    }
    /// Nil where the vector has none.
    func optionalHex(_ key: String) -> [UInt8]? { (self[key] as? String).flatMap(Hexadecimal.decode) }
}

/// Hexadecimal digits as bytes.
func hex(_ digits: String) -> [UInt8] { Hexadecimal.decode(digits) ?? [] }

/// SHA-256 as the vectors have it.
func digestText(_ bytes: [UInt8]) -> String { Hexadecimal.encode(SHA256.hash(bytes)) }
