import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseEncoding
import ValiseFiles
import ValiseSecrets

@testable import ValiseSessionStore

/// The vectors of attachments (Fixtures/README.json says how they were made).
enum AttachmentVectors {
    static func json(_ name: String) throws -> [String: Any] {
        let url = Repository.url("Tests/2-Formats/SessionStore/Fixtures/\(name).json")
        return try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
    }

    static func cases(_ name: String, _ key: String = "cases") throws -> [[String: Any]] {
        try #require(try json(name)[key] as? [[String: Any]])
    }

    /// What the vectors encrypt: a xorshift64star of the seed that one of them names, its numbers little endian.
    static func content(_ count: Int) -> [UInt8] {
        var (state, bytes): (UInt64, [UInt8]) = (0x9e37_79b9_7f4a_7c15, [])
        while bytes.count < count {
            state ^= state >> 12
            state ^= state << 25
            state ^= state >> 27
            let number = state &* 0x2545_f491_4f6c_dd1d
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
        return Array(bytes.prefix(count))
    }

    static func content(of vector: [String: Any]) throws -> [UInt8] {
        let text = try #require(vector["plaintext"] as? String)
        let count = try #require(text.split(separator: " ").last.flatMap { Int($0) })
        return content(count)
    }

    static func bytes(_ vector: [String: Any], hexadecimal key: String) throws -> [UInt8] {
        let text = try #require(vector[key] as? String)
        return try #require(Hexadecimal.decode(text))
    }

    static func bytes(_ vector: [String: Any], base64 key: String) throws -> [UInt8]? {
        guard let text = vector[key] as? String else { return nil }
        return [UInt8](try #require(Data(base64Encoded: text)))
    }

    static func seed(_ vector: [String: Any], _ key: String) throws -> SecretSeed {
        try SecretSeed(copying: bytes(vector, hexadecimal: key))
    }

    static func secret(_ bytes: [UInt8]) throws -> SharedSecret {
        SharedSecret(try SecretBytes(copying: bytes))
    }

    static func random(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Said once for each suite, so that a run can be repeated with `VALISE_SEED`.
    static func runSeed(_ what: String) -> UInt64 {
        let given = ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap { UInt64($0) }
        let seed = given ?? .random(in: 0...999_999)
        print("\(what): VALISE_SEED=\(seed)")
        return seed
    }
}

/// Bytes in memory as a source.
final class AttachmentBytes: ByteSource {
    let bytes: [UInt8]
    let path: FilePath = "attachment"
    var size: Int64 { Int64(bytes.count) }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        guard offset >= 0, offset < size else { return 0 }
        let part = bytes[Int(offset)...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
    }
}

/// An attachment that was encrypted here, with what opens it.
struct SealedAttachment {
    let form: AttachmentForm
    var file: [UInt8] = []
    var key: [UInt8] = []
    var digest: [UInt8]?
    var size: Int64 = 0

    init(_ form: AttachmentForm, _ content: [UInt8], _ random: inout SeededGenerator) throws {
        self.form = form
        let source = AttachmentBytes(content)
        var file: [UInt8] = []
        switch form {
        case .legacy:
            key = AttachmentVectors.random(64, &random)
            digest = try AttachmentWriter.legacy(
                source, key: AttachmentVectors.secret(key), vector: AttachmentVectors.random(16, &random)
            ) { file.append(contentsOf: $0) }
            size = source.size
        case .stream:
            let seed = try SecretSeed(copying: AttachmentVectors.random(32, &random))
            let made = try AttachmentWriter.stream(source, seed: seed, .attachment) {
                file.append(contentsOf: $0)
            }
            key = made.withBytes { Array($0) }
        case .local:
            key = AttachmentVectors.random(32, &random)
            try AttachmentWriter.local(
                source, key: SecretSeed(copying: key), header: AttachmentVectors.random(24, &random)
            ) { file.append(contentsOf: $0) }
        }
        self.file = file
    }

    func reader(key other: [UInt8]? = nil, digest: Bool = true) throws -> AttachmentReader {
        try AttachmentReader(
            form, key: AttachmentVectors.secret(other ?? key), digest: digest ? self.digest : nil, size: size)
    }

    /// The kind of the failure; nil where it opens.
    func failure(
        _ file: [UInt8], key: [UInt8]? = nil, digest: Bool = true
    ) throws -> SessionStoreError.Kind? {
        do {
            try reader(key: key, digest: digest).verify(AttachmentBytes(file))
            return nil
        } catch let error as SessionStoreError {
            return error.kind
        }
    }
}
