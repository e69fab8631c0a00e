import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseEncoding
import ValiseRepository
import ValiseSecrets
import ValiseStorage

/// What we write is read by a reader that was written from the format's description, and by restic.
struct RepositoryPeerTests {
    private let folder: TemporaryFolder
    private static let password = "ein Pässwort for peers"

    init() throws { folder = try TemporaryFolder() }

    /// Writes a file below the folder, and gives its path.
    private func write(_ bytes: [UInt8], _ name: String) throws -> String {
        let path = folder.appending(name).string
        let parent = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    /// The lines of the peer's answer, without the first.
    private func peer(_ arguments: String...) throws -> [String] {
        let python = try #require(OtherProgram("python3"))
        let outcome = try python.outcome(of: [Repository.beside("Support/peer.py").path] + arguments)
        #expect(outcome.status == 0, "\(String(decoding: outcome.errors, as: UTF8.self))")
        let lines = outcome.text.split(separator: "\n").map(String.init)
        print("peer: \(lines.first ?? "nothing")")
        return Array(lines.dropFirst())
    }

    /// A key whose bytes the test knows.
    private static func key(_ random: inout SeededGenerator) throws -> (key: MasterKey, text: String) {
        let bytes = CryptoFixture.bytes(MasterKey.size, &random)
        return (try MasterKey(SecretBytes(copying: bytes)), Hexadecimal.encode(bytes))
    }

    private static func summary(_ plain: [UInt8]) throws -> [String] {
        ["\(plain.count) \(try ContentID(hashing: plain).text)"]
    }

    // MARK: Python

    @Test(.enabled(if: OtherProgram.isThere("python3"), "needs python3"))
    func `another implementation opens what we seal, and seals what we open`() throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("peer"))
        let (key, text) = try Self.key(&random)
        for size in [0, 1, 15, 16, 17, 4096, 20_000] {
            let plain = CryptoFixture.bytes(size, &random)
            #expect(try peer("open", text, write(key.seal(plain), "sealed")) == Self.summary(plain))
            let vector = Hexadecimal.encode(CryptoFixture.bytes(16, &random))
            let answer = try peer("seal", text, vector, write(plain, "plain"))
            let sealed = try #require(Hexadecimal.decode(answer[0]))
            #expect(try key.open(sealed) == plain)
        }
    }

    /// The counter is 128 bits, big endian, and runs over.
    @Test(
        .enabled(if: OtherProgram.isThere("python3"), "needs python3"),
        arguments: [
            "ffffffffffffffffffffffffffffffff", "00000000000000000000000000000001",
            "0000000000000000fffffffffffffffe", "000000000000000000000000ffffffff",
        ])
    func `counters run over as elsewhere`(vector: String) throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("counters"))
        let (key, text) = try Self.key(&random)
        let plain = CryptoFixture.bytes(100, &random)
        let answer = try peer("seal", text, vector, write(plain, "plain"))
        let sealed = try #require(Hexadecimal.decode(answer[0]))
        #expect(try key.open(sealed) == plain)
    }

    @Test(.enabled(if: OtherProgram.isThere("python3"), "needs python3"))
    func `another implementation opens our key file`() throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("key file"))
        let (key, text) = try Self.key(&random)
        let file = try KeyFile.make(
            for: key, password: secret(Self.password), ScryptParameters(n: 1024, r: 8, p: 2))
        #expect(try peer("key", Self.password, write(file.encode(), "key")) == [text])
    }

    @Test(.enabled(if: OtherProgram.isThere("python3"), "needs python3"), arguments: [1, 2])
    func `another implementation reads our packs and documents`(version: Int) throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("peer's packs"))
        let (key, text) = try Self.key(&random)
        var codec = try RepositoryCodec(key, version: version)
        for kind in BlobKind.allCases {
            let pack = try Self.pack(kind, 30, &codec, &random)
            let lines = pack.blobs.map { blob in
                let type = (kind == .tree ? 1 : 0) + (blob.isCompressed ? 2 : 0)
                return
                    "\(type) \(blob.id.text) \(blob.offset) \(blob.sealedLength) \(blob.contentLength)"
            }
            #expect(try peer("pack", text, write(pack.bytes, "pack")) == lines)
        }
        let json = Array(#"{"packs":[\#(String(repeating: "1,", count: 3000))0]}"#.utf8)
        let stored = try UnpackedFile.encode(json, &codec).bytes
        #expect(try peer("unpacked", text, write(stored, "index")) == Self.summary(json))
    }

    @Test(.enabled(if: OtherProgram.isThere("python3"), "needs python3"))
    func `another test agrees that random polynomials are irreducible`() throws {
        for _ in 0..<5 {
            #expect(try peer("polynomial", ChunkerPolynomial.random().text) == ["True"])
        }
    }

    private static func pack(
        _ kind: BlobKind, _ count: Int, _ codec: inout RepositoryCodec, _ random: inout SeededGenerator
    ) throws -> FinishedPack {
        var builder = PackBuilder(kind)
        for number in 0..<count {
            let size = Int.random(in: 1...6000, using: &random)
            let noise = CryptoFixture.bytes(size, &random)
            try builder.add(number % 2 == 0 ? noise : noise.map { $0 & 3 }, &codec)
        }
        return try builder.finish(&codec)
    }

    // MARK: restic

    @Test(.enabled(if: OtherProgram.isThere("restic"), "needs restic"), arguments: [1, 2])
    func `restic opens our repository, indexes our packs and verifies all blobs`(version: Int) throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("restic"))
        let (key, _) = try Self.key(&random)
        let config = try RepositoryConfig.make(version: version)
        var codec = try RepositoryCodec(key, version: version)
        let packs = [
            try Self.pack(.data, 40, &codec, &random), try Self.pack(.tree, 3, &codec, &random),
        ]
        _ = try write(config.seal(key), "r/config")
        let file = try KeyFile.make(
            for: key, password: secret(Self.password), ScryptParameters(n: 1024, r: 8, p: 2))
        _ = try write(file.encode(), "r/keys/\(ContentID(hashing: file.encode()).text)")
        for pack in packs { _ = try write(pack.bytes, "r/\(pack.name)") }
        for name in ["index", "snapshots", "locks"] {
            try FileManager.default.createDirectory(
                atPath: folder.appending("r/\(name)").string, withIntermediateDirectories: true)
        }
        let shown = try restic("cat", "config")
        let json = try #require(JSONNode(parsing: shown))
        #expect(try RepositoryConfig(decoding: shown) == config)
        #expect(json["version"]?.integerValue == Int64(version))
        _ = try restic("rebuild-index")
        _ = try restic("check", "--read-data")
        for blob in packs[0].blobs.prefix(3) {
            let content = try restic("cat", "blob", blob.id.text)
            #expect(try ContentID(hashing: content) == blob.id)
        }
    }

    /// What restic prints, without an error.
    private func restic(_ arguments: String...) throws -> [UInt8] {
        let password = try write(Array(Self.password.utf8), "password")
        let program = try #require(OtherProgram("restic"))
        let outcome = try program.outcome(
            of: ["-r", folder.appending("r").string, "--password-file", password, "--no-cache", "-q"]
                + arguments)
        #expect(
            outcome.status == 0,
            "\(arguments): \(outcome.text) \(String(decoding: outcome.errors, as: UTF8.self))")
        return outcome.output
    }
}
