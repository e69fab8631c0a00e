import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseCryptoFiles
import ValiseCryptography
import ValiseFiles
import ValiseSecrets

/// Keys, files and bytes that the tests of this target share.
struct CryptoFixture {
    let folder: TemporaryFolder
    let args: CryptoFileArgs
    let key: [UInt8]
    let nonce: [UInt8]

    init(seed: UInt64 = 1) throws {
        var random = SeededGenerator(seed: seed)
        folder = try TemporaryFolder()
        key = Self.bytes(32, &random)
        nonce = Self.bytes(24, &random)
        args = try CryptoFileArgs(fileKey: key, fileNonce: nonce)
    }

    func path(_ name: String) -> FilePath { folder.appending(name) }

    /// The names in the folder.
    func names() throws -> [String] { try FileSystem().list(folder.path).compactMap(\.name) }

    func write(_ bytes: [UInt8], _ name: String) throws -> FilePath {
        let path = path(name)
        if try FileSystem().exists(path) { try FileSystem().remove(path) }
        var file = try FileSystem().create(path)
        try file.write(bytes)
        return path
    }

    func read(_ name: String) throws -> [UInt8] {
        try FileSystem().contents(of: path(name), limit: 1 << 30)
    }

    /// The encrypted form by libsodium's own function.
    func sealed(_ plain: [UInt8]) throws -> [UInt8] {
        var bytes = plain
        try SecretBox.sealWithTagAtEnd(&bytes, key: key, nonce: nonce)
        return bytes
    }

    /// The encrypted form by the cipher for whole files.
    func encrypted(_ plain: [UInt8], workers: Int) throws -> [UInt8] {
        let path = path("cipher-\(workers)")
        let writer = ParallelWriter(try FileSystem().openOrCreate(path))
        try CryptoFileCipher(workers: workers).encrypt(MemorySource(plain), to: writer, args)
        defer { try? FileSystem().remove(path) }
        return try FileSystem().contents(of: path, limit: 1 << 30)
    }

    /// The encrypted form by a pipe whose pieces have the sizes that `piece` gives.
    func piped(_ plain: [UInt8], piece: @escaping () -> Int) throws -> [UInt8] {
        var result: [UInt8] = []
        try CryptoFilePipe.encrypt(args, read: Self.reading(plain, piece)) { result.append(contentsOf: $0) }
        return result
    }

    func unpiped(_ bytes: [UInt8], piece: @escaping () -> Int) throws -> [UInt8] {
        var result: [UInt8] = []
        try CryptoFilePipe.decrypt(args, name: "piped", read: Self.reading(bytes, piece)) {
            result.append(contentsOf: $0)
        }
        return result
    }

    static func reading(_ bytes: [UInt8], _ piece: @escaping () -> Int) -> CryptoFilePipe.Reading {
        var offset = 0
        return { buffer in
            let count = min(buffer.count, max(1, piece()), bytes.count - offset)
            bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[offset..<offset + count])) }
            offset += count
            return count
        }
    }

    static func bytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        var words = (0..<(count + 7) / 8).map { _ in random.next() }
        return words.withUnsafeMutableBytes { Array($0.prefix(count)) }
    }

    static func seed(_ what: String) -> UInt64 {
        let seed =
            ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap { UInt64($0) }
            ?? .random(in: 0...999_999)
        print("\(what): VALISE_SEED=\(seed)")
        return seed
    }

    static var isSoak: Bool { ProcessInfo.processInfo.environment["VALISE_SOAK"] != nil }
}

/// The text of a secret, which in a test is none.
func text(_ secret: borrowing SecretBytes) -> String {
    secret.withBytes { String(decoding: $0, as: UTF8.self) }
}

func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }
