import FaultInjection
import Foundation
import Testing
import ValiseCryptography
import ValiseSecrets

@testable import ValiseXFTPWire

struct TransferCipherPropertyTests {
    private let key: SecretSeed
    private let nonce = SecretBox.randomNonce()

    init() throws { key = try SecretSeed() }

    private static let names = ["", "a", "Ünïcode.txt", String(repeating: "n", count: 255)]

    @Test func `every size comes back, whatever the pieces`() throws {
        var random = SeededGenerator(seed: TransferFixture.seed("files"))
        let content = TransferFixture.random(200_000, &random)
        for _ in 0..<60 {
            let near = [0, 0, 100, 65_000, 65_536, 131_072, 196_608].randomElement(using: &random)!
            let size = min(content.count, max(0, near + Int.random(in: -300...300, using: &random)))
            let plain = Array(content[..<size])
            let layout = try EncryptedFileLayout(
                fileSize: Int64(size), name: Self.names.randomElement(using: &random)!)
            let whole = try TransferFixture.encrypt(plain, layout, key: key, nonce: nonce)
            let largest = [100, 5000, 70_000].randomElement(using: &random)!
            var other = random
            let pieces = { (_: Int) in Int.random(in: 1...largest, using: &other) }
            let split = try TransferFixture.encrypt(plain, layout, key: key, nonce: nonce, pieces: pieces)
            #expect(split == whole, "size \(size)")
            #expect(whole.digest == SHA512.hash(whole.bytes))
            let (header, back, digest) = try TransferFixture.decrypt(
                whole.bytes, key: key, nonce: nonce, pieces: pieces)
            #expect(header == layout.header && back == plain && digest == whole.digest, "size \(size)")
        }
    }

    @Test func `any piece can be made again by itself, by several threads`() async throws {
        var random = SeededGenerator(seed: TransferFixture.seed("pieces"))
        let content = TransferFixture.random(300_000, &random)
        let layout = try EncryptedFileLayout(fileSize: 300_000, name: "a")
        let whole = try TransferFixture.encrypt(content, layout, key: key, nonce: nonce)
        let tag = Array(whole.bytes.suffix(16))
        let cipher = try FileCipher.Encryptor(layout, key: key, nonce: nonce, tag: tag)
        #expect(cipher.tag == tag)
        let ranges = (0..<200).map { _ in
            let start = Int.random(in: 0...whole.bytes.count, using: &random)
            return start..<min(whole.bytes.count, start + Int.random(in: 0...70_000, using: &random))
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for range in ranges + [whole.bytes.count - 20..<whole.bytes.count] {
                group.addTask {
                    var piece = [UInt8](repeating: 0x55, count: range.count)
                    piece.withUnsafeMutableBytes { buffer in
                        cipher.encrypt(buffer, at: Int64(range.lowerBound)) { target, offset in
                            target.copyBytes(from: content[Int(offset)..<Int(offset) + target.count])
                        }
                    }
                    return piece == Array(whole.bytes[range])
                }
            }
            for try await isSame in group { #expect(isSame) }
        }
        #expect(cipher.finish() == nil)
    }

    @Test func `a source that fails stops the encryption with its own error`() throws {
        struct Broken: Error {}
        let cipher = try FileCipher.Encryptor(
            EncryptedFileLayout(fileSize: 10, name: ""), key: key, nonce: nonce)
        var buffer = [UInt8](repeating: 0, count: 100)
        #expect(throws: Broken.self) {
            try buffer.withUnsafeMutableBytes { try cipher.next($0) { _, _ in throw Broken() } }
        }
    }

    // MARK: Damage

    @Test func `every changed bit is found`() throws {
        var random = SeededGenerator(seed: TransferFixture.seed("bits"))
        let layout = try EncryptedFileLayout(fileSize: 1000, name: "name")
        let whole = try TransferFixture.encrypt(
            TransferFixture.plaintext(1000), layout, key: key, nonce: nonce
        ).bytes
        let places =
            Array(0..<16) + (0..<100).map { _ in Int.random(in: 0..<whole.count, using: &random) } + [
                whole.count - 1
            ]
        for place in places {
            var changed = whole
            changed[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            #expect(throws: XFTPWireError.self, "byte \(place)") {
                try TransferFixture.decrypt(changed, key: key, nonce: nonce)
            }
        }
        for count in [0, 1, 8, 15, 16, 17, 24, 25, 100, whole.count - 1] {
            #expect(throws: XFTPWireError.self, "\(count) bytes") {
                try TransferFixture.decrypt(Array(whole[..<count]), size: whole.count, key: key, nonce: nonce)
            }
            #expect(throws: XFTPWireError.self, "\(count) bytes") {
                try TransferFixture.decrypt(Array(whole[..<count]), key: key, nonce: nonce)
            }
        }
        #expect(throws: XFTPWireError.self) {
            try TransferFixture.decrypt(whole + [0], size: whole.count, key: key, nonce: nonce)
        }
        #expect(throws: XFTPWireError.self) {
            try TransferFixture.decrypt(whole, key: SecretSeed(), nonce: nonce)
        }
    }

    /// Someone who knows the key may encrypt anything.
    @Test(
        arguments: [
            [], [0], Array(repeating: 0, count: 8), Array(repeating: 0xff, count: 8),
            Array(repeating: 0x7f, count: 40),
            [0, 0, 0, 0, 0, 0, 0, 1, 0, 0x30], [0, 0, 0, 0, 0, 0, 0, 2, 5, 0x30],
            [0, 0, 0, 0, 0, 0, 0, 3, 1, 0x61, 0x39],
            [0, 0, 0, 0, 0, 0, 0, 100, 0, 0x30], [0, 0, 0, 0, 0, 0, 0, 3, 0, 0x31, 9],
        ] as [[UInt8]])
    func `lengths and headers that cannot be are refused`(plain: [UInt8]) throws {
        let stream = try SecretBoxStream()
        stream.start(key: key, nonce: nonce)
        var file = plain
        file.withUnsafeMutableBytes { stream.exclusiveOr($0, at: 0) }
        file.withUnsafeBytes { stream.authenticate($0) }
        file += stream.tag()
        for largest in [1, 3, 1000] {
            #expect(throws: XFTPWireError.self) {
                try TransferFixture.decrypt(file, key: key, nonce: nonce) { _ in largest }
            }
        }
    }

    @Test func `the smallest file with nothing in it is read`() throws {
        let stream = try SecretBoxStream()
        stream.start(key: key, nonce: nonce)
        var file: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 2, 0, 0x30]
        file.withUnsafeMutableBytes { stream.exclusiveOr($0, at: 0) }
        file.withUnsafeBytes { stream.authenticate($0) }
        let (header, content, _) = try TransferFixture.decrypt(file + stream.tag(), key: key, nonce: nonce)
        #expect(header.name.isEmpty && content.isEmpty)
    }

    @Test func `nonces and sizes that cannot be are refused`() throws {
        #expect(throws: XFTPWireError.self) { try FileCipher.Decryptor(size: 100, key: key, nonce: [1]) }
        #expect(throws: XFTPWireError.self) { try FileCipher.Decryptor(size: 23, key: key, nonce: nonce) }
        #expect(throws: XFTPWireError.self) { try TransferCipher.Encryptor(secret: key, nonce: [], size: 1) }
        #expect(throws: XFTPWireError.self) {
            try TransferCipher.Decryptor(secret: key, nonce: nonce, size: -1)
        }
    }

    // MARK: Transfers

    @Test func `a chunk comes through in any pieces, and with exactly its length`() throws {
        var random = SeededGenerator(seed: TransferFixture.seed("transfers"))
        for _ in 0..<80 {
            let chunk = TransferFixture.random(Int.random(in: 0...3000, using: &random), &random)
            let largest = [1, 20, 4000].randomElement(using: &random)!
            let encryptor = try TransferCipher.Encryptor(secret: key, nonce: nonce, size: Int64(chunk.count))
            var sent: [UInt8] = []
            while sent.count < chunk.count {
                #expect(throws: XFTPWireError.self) { try encryptor.finish() }
                let end = min(chunk.count, sent.count + Int.random(in: 1...largest, using: &random))
                var piece = Array(chunk[sent.count..<end])
                try piece.withUnsafeMutableBytes { try encryptor.encrypt($0) }
                sent += piece
            }
            sent += try encryptor.finish()
            #expect(try received(sent, chunk.count, largest, &random) == chunk)
            #expect(throws: XFTPWireError.self) { try received(sent + [0], chunk.count, largest, &random) }
            #expect(throws: XFTPWireError.self) {
                try received(Array(sent.dropLast()), chunk.count, largest, &random)
            }
            var changed = sent
            changed[Int.random(in: 0..<sent.count, using: &random)] ^= 4
            #expect(throws: XFTPWireError.self) { try received(changed, chunk.count, largest, &random) }
        }
    }

    private func received(
        _ sent: [UInt8], _ size: Int, _ largest: Int, _ random: inout SeededGenerator
    ) throws -> [UInt8] {
        let decryptor = try TransferCipher.Decryptor(secret: key, nonce: nonce, size: Int64(size))
        var chunk: [UInt8] = []
        var place = 0
        while place < sent.count {
            var piece = Array(
                sent[place..<min(sent.count, place + Int.random(in: 1...largest, using: &random))])
            place += piece.count
            let count = try piece.withUnsafeMutableBytes { try decryptor.decrypt($0) }
            chunk += piece[..<count]
        }
        try decryptor.finish()
        return chunk
    }

    @Test func `more than a chunk has is not encrypted`() throws {
        let encryptor = try TransferCipher.Encryptor(secret: key, nonce: nonce, size: 3)
        var bytes: [UInt8] = [1, 2, 3, 4]
        #expect(throws: XFTPWireError.self) { try bytes.withUnsafeMutableBytes { try encryptor.encrypt($0) } }
    }
}
