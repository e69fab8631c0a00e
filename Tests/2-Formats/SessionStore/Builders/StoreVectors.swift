import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseEncoding
import ValiseFiles
import ValiseSecrets

/// The vectors of stores and backups (Fixtures/README.json says how they were made).
enum StoreVectors {
    static func document(_ name: String) throws -> JSONNode {
        let bytes = [UInt8](try Data(contentsOf: Repository.beside("../Fixtures/\(name).json")))
        return try #require(JSONNode(parsing: bytes))
    }

    static func bytes(_ node: JSONNode?) throws -> [UInt8] {
        let text = try #require(node?.textValue)
        return [UInt8](try #require(Data(base64Encoded: text)))
    }

    static func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }

    /// A file of SQLCipher, by its place in the list.
    static func database(_ index: Int) throws -> BytesSource {
        let cases = try #require(try document("sqlcipher")["cases"]?.arrayValue)
        return BytesSource(try bytes(cases[index]["b64"]))
    }

    static func keySpecification() throws -> [UInt8] {
        let digits = try #require(try document("sqlcipher")["key_spec_hex"]?.textValue)
        return try #require(Hexadecimal.decode(digits))
    }
}

/// Bytes in memory as a source.
final class BytesSource: ByteSource {
    let bytes: [UInt8]
    let path: FilePath
    var size: Int64 { Int64(bytes.count) }

    init(_ bytes: [UInt8], path: FilePath = "session.bak") {
        self.bytes = bytes
        self.path = path
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0, offset < size else { return 0 }
        let part = bytes[Int(offset)...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
    }
}
