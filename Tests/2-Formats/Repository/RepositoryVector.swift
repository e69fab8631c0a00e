import Foundation
import TestPeers
import Testing
import ValiseEncoding
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// A repository that restic made, and what is known of it.
struct RepositoryVector: Sendable, CustomTestStringConvertible {
    let name: String
    let version: Int
    let passwords: [String]

    /// By restic 0.14.0 and 0.18.0.
    static let all = [
        RepositoryVector(name: "v1", version: 1, passwords: ["correct horse 1"]),
        RepositoryVector(name: "v2", version: 2, passwords: ["correct horse 2", "ein zweites Pässwort"]),
    ]

    var testDescription: String { name }

    var folder: URL { Repository.beside("Fixtures/\(name)") }

    /// `NAME.expected.json`.
    func expected() throws -> JSONNode {
        let file = Repository.beside("Fixtures/\(name).expected.json")
        let bytes = [UInt8](try Data(contentsOf: file))
        return try #require(JSONNode(parsing: bytes))
    }

    /// The master key that restic shows.
    func masterKey() throws -> MasterKey {
        let node = try expected()
        let key = try #require(node["master_key"])
        let mac = try #require(key["mac"])
        let texts = [try key.text(of: "encrypt"), try mac.text(of: "k"), try mac.text(of: "r")]
        let parts = try texts.map { [UInt8](try #require(Data(base64Encoded: $0))) }
        return try MasterKey(SecretBytes(copying: parts.flatMap { $0 }))
    }

    func config() throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appending(path: "config"))) }

    /// The files of a folder, by their names.
    func files(_ kind: StoredKind) throws -> [(name: StoredName, bytes: [UInt8])] {
        var folders = [folder.appending(path: kind.rawValue)]
        if kind == .data {
            folders = try FileManager.default.contentsOfDirectory(
                at: folders[0], includingPropertiesForKeys: nil)
        }
        return try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).map {
                file in
                let id = try #require(ContentID(text: file.lastPathComponent))
                return (StoredName.file(kind, id), [UInt8](try Data(contentsOf: file)))
            }
        }
    }
}

extension JSONNode {
    /// A member that a test cannot do without.
    func text(of key: String) throws -> String { try #require(self[key]?.textValue) }
    func list(of key: String) throws -> [JSONNode] { try #require(self[key]?.arrayValue) }
    func number(of key: String) throws -> Int64 { try #require(self[key]?.integerValue) }
}

/// The kind of the failure that a closure throws; nil where it throws none.
func repositoryFailure<Result>(_ body: () throws -> Result) throws -> RepositoryError.Kind? {
    do {
        _ = try body()
        return nil
    } catch let error as RepositoryError {
        return error.kind
    }
}
