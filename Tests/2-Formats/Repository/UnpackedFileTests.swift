import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseEncoding
import ValiseRepository
import ValiseStorage

/// Indexes, snapshots and locks as they are stored.
struct UnpackedFileTests {
    /// The document in a file with this content.
    private static func decode(
        _ plain: [UInt8], version: Int = 2, limit: Int = UnpackedFile.largest
    ) throws -> [UInt8] {
        var codec = try RepositoryCodec(.random(), version: version)
        let stored = try codec.sealing.seal(plain)
        let name = StoredName.file(.index, try ContentID(hashing: stored))
        return try UnpackedFile.decode(stored, name: name, &codec, limit: limit)
    }

    @Test(arguments: [1, 2])
    func `documents of all sizes are read again`(version: Int) throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("documents"))
        var codec = try RepositoryCodec(.random(), version: version)
        for round in 0..<60 {
            let count = round < 10 ? round : Int.random(in: 0...200_000, using: &random)
            let ids = (0..<count / 64).map { _ in Hexadecimal.encode(CryptoFixture.bytes(32, &random)) }
            let json = Array(#"{"blobs":["\#(ids.joined(separator: #"",""#))"]}"#.utf8)
            let (id, bytes) = try UnpackedFile.encode(json, &codec)
            #expect(id == (try ContentID(hashing: bytes)))
            let plain = try codec.sealing.open(bytes)
            if version == 1 {
                #expect(plain == json)
            } else {
                #expect(plain.starts(with: [2, 0x28, 0xb5, 0x2f, 0xfd]))
                if json.count > 1000 { #expect(plain.count < json.count * 2 / 3) }
            }
            let read = try UnpackedFile.decode(bytes, name: .file(.index, id), &codec)
            #expect(read == json)
        }
    }

    @Test(.enabled(if: OtherProgram.isThere("zstd"), "needs zstd"))
    func `the zstd program reads our frames, sees their size and no checksum, and we read its frames`() throws
    {
        let folder = try TemporaryFolder()
        let json = Array(#"{"a":[\#(String(repeating: #""text","#, count: 5000))1]}"#.utf8)
        var codec = try RepositoryCodec(.random(), version: 2)
        let plain = try codec.sealing.open(try UnpackedFile.encode(json, &codec).bytes)
        let path = folder.appending("frame.zst").string
        try Data(plain.dropFirst()).write(to: URL(filePath: path))
        let zstd = try #require(OtherProgram("zstd"))
        #expect(try zstd.outcome(of: ["-dcq", path]).output == json)
        let listed = try zstd.outcome(of: ["-lv", path]).text
        #expect(listed.contains("Check: None"))
        #expect(listed.contains("(\(json.count) B)"))
        let input = folder.appending("input").string
        try Data(json).write(to: URL(filePath: input))
        for options in [
            ["-19"], ["--no-check", "-1"], ["--no-content-size"], ["--ultra", "-22", "--long=27"],
        ] {
            let frame = try zstd.outcome(of: ["-cq"] + options + [input]).output
            #expect(try Self.decode([2] + frame) == json, "\(options)")
        }
    }

    @Test func `bare documents are read in both versions, and an empty content is empty`() throws {
        for version in 1...2 {
            for text in [#"{"packs":[]}"#, "[]", "{", ""] {
                #expect(try Self.decode(Array(text.utf8), version: version) == Array(text.utf8))
            }
        }
    }

    @Test func `another first byte is refused, and compression in version 1`() throws {
        for first in UInt8.min...UInt8.max where ![UInt8(ascii: "{"), UInt8(ascii: "["), 2].contains(first) {
            let plain = [first] + ZstdFrames.zeros(10, claiming: 10)
            #expect(try repositoryFailure { try Self.decode(plain) } == .unsupported)
        }
        let plain = [2] + ZstdFrames.zeros(10, claiming: 10)
        #expect(try repositoryFailure { try Self.decode(plain, version: 1) } == .unsupported)
        #expect(try Self.decode(plain) == [UInt8](repeating: 0, count: 10))
    }

    // MARK: Bombs

    @Test func `frames without a size are read up to the limit`() throws {
        for count in [0, 1, 65_535, 65_536, 65_537, 1_000_000, 3_000_000] {
            let plain = [2] + ZstdFrames.zeros(count, claiming: nil)
            let read = try Self.decode(plain, limit: 3_000_000)
            #expect(read.count == count && read.allSatisfy { $0 == 0 })
        }
        let over = [2] + ZstdFrames.zeros(3_000_001, claiming: nil)
        #expect(try repositoryFailure { try Self.decode(over, limit: 3_000_000) } == .damaged)
    }

    @Test(arguments: [nil, 1 << 30, 0, 5, 1 << 40, UInt64.max - 2] as [UInt64?])
    func `a frame that would become a gibibyte is refused`(claimed: UInt64?) throws {
        let bomb = [2] + ZstdFrames.zeros(1 << 30, claiming: claimed)
        #expect(bomb.count < 40_000)
        #expect(try repositoryFailure { try Self.decode(bomb, limit: 1 << 20) } == .damaged)
    }

    @Test(arguments: [0, 9, 11, 1 << 20, 1 << 62] as [UInt64])
    func `a frame that is not what it claims is damaged`(claimed: UInt64) throws {
        let plain = [2] + ZstdFrames.zeros(10, claiming: claimed)
        #expect(try repositoryFailure { try Self.decode(plain) } == .damaged)
    }

    @Test func `what is no frame is damaged`() throws {
        for plain in [[2], [2, 0x28], [2, 0x28, 0xb5, 0x2f, 0xfd], [2] + ZstdFrames.hugeWindow()] as [[UInt8]]
        {
            #expect(try repositoryFailure { try Self.decode(plain) } == .damaged)
        }
    }

    @Test func `documents larger than the limit are refused in any form`() throws {
        let json = [UInt8(ascii: "[")] + [UInt8](repeating: 0x20, count: 1000)
        #expect(try repositoryFailure { try Self.decode(json, limit: 1000) } == .damaged)
        #expect(try Self.decode(json, limit: 1001) == json)
    }

    @Test func `any changed byte of a frame is an error or the same document`() throws {
        var random = SeededGenerator(seed: CryptoFixture.seed("frames"))
        var codec = try RepositoryCodec(.random(), version: 2)
        let json = Array(#"{"tree":"\#(Hexadecimal.encode(CryptoFixture.bytes(500, &random)))"}"#.utf8)
        let plain = try codec.sealing.open(try UnpackedFile.encode(json, &codec).bytes)
        for place in plain.indices {
            var changed = plain
            changed[place] ^= UInt8.random(in: 1...255, using: &random)
            // The tag is what finds changes; the decompressor has only to survive them.
            _ = try repositoryFailure { try Self.decode(changed, limit: 1 << 20) }
        }
    }

    @Test func `each changed byte of a stored file is found by its name, and by its tag`() throws {
        var codec = try RepositoryCodec(.random(), version: 2)
        let (id, bytes) = try UnpackedFile.encode(Array(#"{"packs":[]}"#.utf8), &codec)
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 0x40
            let found = try repositoryFailure {
                try UnpackedFile.decode(changed, name: .file(.index, id), &codec)
            }
            #expect(found == .damaged)
            let renamed = StoredName.file(.index, try ContentID(hashing: changed))
            #expect(
                try repositoryFailure { try UnpackedFile.decode(changed, name: renamed, &codec) } == .damaged)
        }
    }
}
