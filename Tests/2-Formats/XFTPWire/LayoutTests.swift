import FaultInjection
import Testing
import ValiseCryptography
import ValiseMediaRules
import ValiseSecrets

@testable import ValiseXFTPWire

struct LayoutTests {
    @Test func `payloads become the chunks of the vectors`() throws {
        var tried = 0
        for vector in try WireFixture.vectors("chunk-sizes") {
            guard let payload = vector["payload"] as? Int, payload >= 26,
                let sizes = vector["sizes"] as? [String]
            else {
                continue
            }
            // An empty name: what is before and behind the content has 26 bytes.
            let layout = try EncryptedFileLayout(fileSize: Int64(payload - 26), name: "")
            #expect(layout.chunks.map { SizeText.encode($0.size.bytes) } == sizes)
            tried += 1
        }
        #expect(tried > 20)
    }

    @Test func `one chunk is chosen as the vectors have it`() throws {
        for vector in try WireFixture.vectors("chunk-sizes") {
            guard let payload = vector["single_chunk_for"] as? Int else { continue }
            let layout = try? EncryptedFileLayout.oneChunk(fileSize: Int64(payload - 26), name: "")
            #expect(layout.map { SizeText.encode($0.encryptedSize) } == vector["size"] as? String)
            #expect(layout.map { $0.chunks.count == 1 } ?? true)
        }
    }

    /// The sizes with which the official receiver leaves padding behind the content.
    @Test(arguments: [1, 5, 15]) func `the header grows where the official receiver would leave padding`(
        rest: Int64
    ) throws {
        for boundary in [2 * 65_536, 2 * 262_144 + 1_048_576, 3 * 4_194_304 + 1_048_576] as [Int64] {
            let size = boundary + rest - 26 - 1
            let given = try EncryptedFileLayout(fileSize: size, name: "a", extra: Array("{}".utf8))
            let layout = try EncryptedFileLayout(fileSize: size - 1, name: "ab")
            #expect(given.header.extra?.starts(with: "{}".utf8) == true)
            let left = given.innerSize + TransferChunks.overhead - given.chunks[given.chunks.count - 1].offset
            #expect(!(1...15).contains(left))
            let extra = try #require(layout.header.extra)
            #expect(extra.count == 15 - Int(rest))
            #expect(layout.chunks.count == (try TransferChunks(fileSize: size - 1, fileName: "ab").count))
            #expect(layout.chunks.count >= 3)
            let payload = layout.innerSize + TransferChunks.overhead
            #expect(payload - layout.chunks[layout.chunks.count - 1].offset == 16)
        }
    }

    @Test func `a header grows only where it must`() throws {
        for size in [0, 1, 100, 65_536, 65_510, 131_072 - 26, 131_072 - 26 + 16, 196_609] as [Int64] {
            #expect(try EncryptedFileLayout(fileSize: size, name: "").header.extra == nil)
        }
        // Two chunks: the fault needs three.
        #expect(try EncryptedFileLayout(fileSize: 65_536 - 26 + 3, name: "").header.extra == nil)
    }

    @Test func `no size has the padding fault`() throws {
        let seed = TransferFixture.seed("padding fault")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let unit: Int64 = [65_536, 262_144, 1_048_576, 4_194_304].randomElement(using: &random)!
            let size = max(
                0,
                unit * Int64.random(in: 0...9, using: &random) + Int64.random(in: -300...300, using: &random))
            let name = String(repeating: "n", count: Int.random(in: 0...255, using: &random))
            let layout = try EncryptedFileLayout(fileSize: size, name: name)
            let payload = layout.innerSize + TransferChunks.overhead
            #expect(payload <= layout.encryptedSize)
            #expect(
                !EncryptedFileLayout.paddingFault(payload, layout.chunks),
                "size \(size), name of \(name.utf8.count)")
            #expect(layout.chunks.count == (try TransferChunks(fileSize: size, fileName: name).count))
        }
    }

    @Test func `a file that was made with the fault is cut at its size by us`() throws {
        let size = 2 * 65_536 + 1 - 27
        let layout = try EncryptedFileLayout.unpadded(FileHeader(name: "", extra: []), fileSize: Int64(size))
        #expect(EncryptedFileLayout.paddingFault(layout.innerSize + TransferChunks.overhead, layout.chunks))
        let content = TransferFixture.plaintext(size)
        let key = try SecretSeed()
        let nonce = SecretBox.randomNonce()
        let (file, _) = try TransferFixture.encrypt(content, layout, key: key, nonce: nonce)
        #expect(try TransferFixture.decrypt(file, key: key, nonce: nonce).content == content)
    }

    @Test func `what no file can have is refused`() {
        #expect(throws: XFTPWireError.self) { try EncryptedFileLayout(fileSize: -1, name: "") }
        #expect(throws: XFTPWireError.self) { try EncryptedFileLayout(fileSize: .max, name: "") }
        #expect(throws: XFTPWireError.self) {
            try EncryptedFileLayout.oneChunk(fileSize: 4_194_304, name: "")
        }
        #expect(throws: XFTPWireError.self) {
            try EncryptedFileLayout(fileSize: 1, name: String(repeating: "é", count: 128))
        }
    }

    // MARK: Headers

    @Test(arguments: [nil, [], Array("v1".utf8), [UInt8](repeating: 7, count: 255)] as [[UInt8]?])
    func `a header comes back, whatever follows it`(extra: [UInt8]?) throws {
        for name in ["", "a", "Ünïcode ✅.txt", String(repeating: "x", count: 255)] {
            let header = try FileHeader(name: name, extra: extra)
            let (decoded, count) = try #require(try FileHeader.decode((header.encoded + [1, 2, 3])[...]))
            #expect(decoded == header)
            #expect(count == header.encoded.count)
            for length in 0..<header.encoded.count {
                #expect(try FileHeader.decode(header.encoded[..<length]) == nil)
            }
        }
    }

    @Test func `a name that is no UTF-8 is repaired`() throws {
        let (header, count) = try #require(try FileHeader.decode([3, 0x61, 0xe9, 0x62, 0x30]))
        #expect(header.name == "a\u{fffd}b")
        #expect(count == 5)
        let long = try #require(
            try FileHeader.decode(([255] + Array(repeating: 0xe9, count: 255) + [0x30])[...]))
        #expect(long.0.name.utf8.count <= 255)
        #expect(long.byteCount == 257)
    }

    @Test func `a header with another mark than 0 and 1 is refused`() {
        #expect(throws: XFTPWireError.self) { try FileHeader.decode([1, 0x61, 0x32]) }
    }
}
