import FaultInjection
import Foundation
import TestPeers
import Testing
import ValiseSecrets

@testable import ValiseXFTPWire

/// What the official programs wrote in Support/Fixtures/transfers, and helpers over whole files in memory.
enum TransferFixture {

    /// `VALISE_SEED` repeats an earlier run.
    static func seed(_ test: String) -> UInt64 {
        let seed =
            ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap(UInt64.init)
            ?? UInt64.random(in: 0...UInt64.max)
        print("\(test): VALISE_SEED=\(seed)")
        return seed
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: Repository.fixture("transfers/\(path)")))
    }

    static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    /// A link, without the end of the line that some of the files have.
    static func link(_ path: String) throws -> String { try text(path).trimmingCharacters(in: .newlines) }

    static func description(_ path: String) throws -> FileDescription {
        try FileDescription(yaml: bytes(path))
    }

    /// The plaintexts of the official uploads (README of the vectors).
    static func plaintext(_ size: Int) -> [UInt8] {
        var state = UInt32(size)
        return (0..<size).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
    }

    /// The encrypted file, of chunks that lie under the names that their sender has for them.
    static func encryptedFile(_ sender: FileDescription, in folder: String) throws -> [UInt8] {
        try sender.chunks.flatMap { chunk in
            try bytes("\(folder)/\(Base64URLName.of(chunk.replicas[0].id))")
        }
    }

    // MARK: Whole files

    static func encrypt(
        _ content: [UInt8], _ layout: EncryptedFileLayout, key: SecretSeed, nonce: [UInt8],
        pieces: (Int) -> Int = { _ in 1 << 16 }
    ) throws -> (bytes: [UInt8], digest: [UInt8]) {
        let cipher = try FileCipher.Encryptor(layout, key: key, nonce: nonce)
        var file: [UInt8] = []
        while true {
            var piece = [UInt8](repeating: 0xee, count: pieces(file.count))
            let count = piece.withUnsafeMutableBytes { buffer in
                cipher.next(buffer) { target, offset in
                    target.copyBytes(from: content[Int(offset)..<Int(offset) + target.count])
                }
            }
            guard count > 0 else { break }
            file += piece[..<count]
        }
        return (file, try #require(cipher.finish()))
    }

    static func decrypt(
        _ file: [UInt8], size: Int? = nil, key: SecretSeed, nonce: [UInt8],
        pieces: (Int) -> Int = { _ in 1 << 16 }
    ) throws -> (header: FileHeader, content: [UInt8], digest: [UInt8]) {
        let cipher = try FileCipher.Decryptor(size: Int64(size ?? file.count), key: key, nonce: nonce)
        var content: [UInt8] = []
        var place = 0
        while place < file.count {
            var piece = Array(file[place..<min(file.count, place + pieces(place))])
            place += piece.count
            try piece.withUnsafeMutableBytes { buffer in
                try cipher.decrypt(buffer) { content += $0 }
            }
        }
        let (header, digest) = try cipher.finish()
        return (header, content, digest)
    }

    static func random(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}

extension SecretBytes {
    var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }
}

extension SecretSeed {
    var bytes: [UInt8] { withBytes { Array($0) } }
}
