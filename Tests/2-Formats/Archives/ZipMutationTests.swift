import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseArchives
import ValiseFailures
import ValiseFiles

/// Damage at random places: refused, or without effect on what is unpacked.
@Suite final class ZipMutationTests {
    private let folder: FilePath
    private let fileSystem = FileSystem()

    private static let contents: [String: [UInt8]] = [
        "simplex_v1_chat.db": (0..<700).map { UInt8(truncatingIfNeeded: $0 * $0) },
        "simplex_v1_agent.db": [UInt8](repeating: 7, count: 900),
        "simplex_v1_files/ü 🎒.txt": Array("hello, hello, hello, hello, hello".utf8),
        "simplex_v1_files/empty": [],
    ]

    init() throws {
        folder = FilePath(NSTemporaryDirectory()).appending("valise-mutation-\(UUID().uuidString)")
        try fileSystem.makeDirectories(folder)
    }

    deinit { try? fileSystem.removeTree(folder) }

    private func valid() throws -> [UInt8] {
        let path = folder.appending("valid.zip")
        let writer = try ZipWriter(try fileSystem.create(path))
        for (name, bytes) in Self.contents.sorted(by: { $0.key < $1.key }) {
            var rest = bytes[...]
            let method: ZipMethod = name.hasSuffix("agent.db") || name.hasSuffix("txt") ? .deflated : .stored
            try writer.add(name, size: Int64(bytes.count), modificationTime: 1_700_000_000, method: method) {
                let count = min($0.count, rest.count, 100)
                $0.copyBytes(from: rest.prefix(count))
                rest = rest.dropFirst(count)
                return count
            }
        }
        _ = try writer.finish()
        return try fileSystem.contents(of: path, limit: 1 << 20)
    }

    /// What arrives of an archive: files by name, without those that are told to be damaged.
    private func unpack(_ bytes: [UInt8]) throws -> [String: [UInt8]] {
        let path = folder.appending("case.zip")
        try fileSystem.removeTree(path)
        var file = try fileSystem.create(path)
        try file.write(bytes)
        let index = try ZipIndex(try fileSystem.openForReading(path))
        var files: [String: [UInt8]] = [:]
        var current: [UInt8] = []
        try ZipContents(index, FileSource(file)).extract(
            begin: { _ in
                current = []
                return true
            },
            consume: { current += $0 },
            end: { entry, outcome in
                if case .intact = outcome { files[entry.name] = current }
            })
        return files
    }

    /// Every file that arrives is one of the originals, whole; a name may have become another.
    private func isHarmless(_ bytes: [UInt8], _ comment: Comment) {
        do {
            let files = try unpack(bytes)
            for (name, content) in files {
                if let original = Self.contents[name] {
                    #expect(content == original, comment)
                } else {
                    #expect(Self.contents.values.contains(content), comment)
                }
            }
        } catch is ZipError {
        } catch is FileError {
        } catch {
            Issue.record("\(error) of an unexpected type: \(comment)")
        }
    }

    @Test func unpacksTheOriginal() throws {
        #expect(try unpack(try valid()) == Self.contents)
    }

    @Test(arguments: [UInt64(20_240_917)])
    func survivesSingleBytes(_ seed: UInt64) throws {
        let valid = try valid()
        var random = SeededGenerator(seed: seed)
        for round in 0..<2000 {
            var bytes = valid
            let position = Int.random(in: 0..<bytes.count, using: &random)
            bytes[position] ^= UInt8.random(in: 1...255, using: &random)
            isHarmless(bytes, "seed \(seed), round \(round), byte \(position)")
        }
    }

    @Test(arguments: [UInt64(20_240_918)])
    func refusesTruncation(_ seed: UInt64) throws {
        let valid = try valid()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let count = Int.random(in: 0..<valid.count, using: &random)
            #expect(throws: ZipError.self, "seed \(seed), \(count) bytes") {
                try unpack(Array(valid[..<count]))
            }
        }
    }
}
