import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseCryptoFiles
import ValiseCryptography
import ValiseFiles
import ValiseSecrets

/// Files that the official library (simplexmq 6.5.5) wrote, and the vectors of the format's description.
struct VectorTests {
    private static let folder = FilePath(
        Repository.beside("Fixtures").path)

    private static func fixture(_ name: String) throws -> [UInt8] {
        try FileSystem().contents(of: folder.appending(name), limit: 1 << 20)
    }

    private let fixture: CryptoFixture

    init() throws { fixture = try CryptoFixture() }

    @Test(arguments: [0, 1, 100, 65000, 65536, 100_000])
    func `official files are read and written, byte for byte`(size: Int) throws {
        let args = try CryptoFileArgs(text: SecretBytes(copying: Self.fixture("args.json")))
        let plain = try Self.fixture("plain-\(size).bin")
        let encrypted = try Self.fixture("enc-\(size).bin")
        #expect(plain.count == size && encrypted.count == size + 16)
        let operations = CryptoFileOperations()

        let input = try CryptoFileInput(Self.folder.appending("plain-\(size).bin"))
        #expect(
            try operations.encrypt(input, to: .file(fixture.path("e"), replacing: false), args)
                == Int64(size))
        #expect(try fixture.read("e") == encrypted)

        let back = try CryptoFileInput(Self.folder.appending("enc-\(size).bin"))
        #expect(try operations.verify(back, args) == Int64(size))
        #expect(
            try operations.decrypt(back, to: .file(fixture.path("d"), replacing: false), args) == Int64(size))
        #expect(try fixture.read("d") == plain)
        var streamed: [UInt8] = []
        try operations.decrypt(back, to: .stream { streamed.append(contentsOf: $0) }, args)
        #expect(streamed == plain)
        #expect(try fixture.names() == ["d", "e"])
    }

    @Test(arguments: [
        ([], "6d5eaf468dea66e7b569f805910de7a7"),
        (Array("hello world".utf8), "03ebb0dcaf3ec72c98736ba409ad94618c6f7ed82779cb4556ed1c"),
        (
            (0..<100).map { UInt8($0) },
            "6b8fdeb3c41bb644e216056d93c9872ba74673e058dda1f19a331150807e28ade13f86a00c66ef0f79c503447bf35e"
                + "9937a93adcf907eaad9f79967c0e3775b40a2fe2b6c8413fea714e9eb9974ea325a7eec2690adf8a9af2c91d"
                + "3703edf56963fd320aa2e9517f3de6de09f44720e880e2e23d"
        ),
    ])
    func `described vectors, by the cipher and by the pipe`(plain: [UInt8], expected: String) throws {
        let args = try CryptoFileArgs(
            fileKey: (0..<32).map { UInt8($0) }, fileNonce: (0..<24).map { UInt8($0) })
        let path = fixture.path("v")
        try CryptoFileCipher().encrypt(
            MemorySource(plain), to: ParallelWriter(FileSystem().create(path)), args)
        #expect(Self.hexadecimal(try fixture.read("v")) == expected)
        var piped: [UInt8] = []
        try CryptoFilePipe.encrypt(args, read: CryptoFixture.reading(plain) { 7 }) {
            piped.append(contentsOf: $0)
        }
        #expect(Self.hexadecimal(piped) == expected)
    }

    @Test func `the described file of 100,000 bytes has its digest`() throws {
        let args = try CryptoFileArgs(
            text: secret(
                #"{"fileKey":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=","fileNonce":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"}"#
            ))
        let plain = (0..<100_000).map { UInt8(truncatingIfNeeded: 7 * $0 + 3) }
        try CryptoFileCipher().encrypt(
            MemorySource(plain), to: ParallelWriter(FileSystem().create(fixture.path("v"))), args)
        #expect(
            Self.hexadecimal(SHA256.hash(try fixture.read("v")))
                == "86e6fa029f6f6d39cba21eeaca169f19eff0ab9f878f68f2242c36262fee02f9")
    }

    @Test func `a text in Unicode under the other described key`() throws {
        let args = try CryptoFileArgs(
            fileKey: [UInt8](repeating: 0x4e, count: 32), fileNonce: [UInt8](repeating: 0xa1, count: 24))
        var encryptor = try CryptoFileEncryptor(args)
        var bytes = Array("SimpleX ✅ тест".utf8)
        bytes.withUnsafeMutableBytes { encryptor.update($0) }
        bytes += encryptor.finish()
        #expect(
            Self.hexadecimal(bytes)
                == "42d2776f4c72b6070b76eb8d1601ba7d9585be70eee2551d1d63f85012610bf3470a306f")
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
