import FaultInjection
import SystemPackage
import TestPeers
import Testing
import ValiseArchives
import ValiseContainers
import ValiseFailures
import ValiseFiles

/// Our tars, judged by other programs and by our reader.
struct TarWriterTests {
    private struct Stop: Error {}

    private static let files: [(String, [UInt8])] = [
        ("simplex_v1_chat.db", (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) }),
        ("simplex_v1_files/" + String(repeating: "l", count: 230), Array("long".utf8)),
        ("simplex_v1_files/leer", []), ("simplex_v1_files/Grüße 🙂.txt", Array("names".utf8)),
        ("simplex_v1_files/" + String(repeating: "ü", count: 120), Array("both".utf8)),
    ]

    private static func tar(_ packing: TarWriter.Packing, time: Int64 = 1_700_000_000) throws -> [UInt8] {
        let output = Output()
        let writer = try TarWriter(packing) { output.bytes += $0 }
        for (name, bytes) in files {
            var done = 0
            let written = try writer.add(name, size: Int64(bytes.count), modificationTime: time) { buffer in
                let part = bytes[done...].prefix(buffer.count)
                buffer.copyBytes(from: part)
                done += part.count
                return part.count
            }
            #expect(written == bytes.count)
        }
        #expect(try writer.finish() == output.bytes.count)
        return output.bytes
    }

    private final class Output {
        var bytes: [UInt8] = []
    }

    @Test func `our reader reads what our writer writes`() throws {
        for (packing, format) in [(TarWriter.Packing.none, "tar"), (.zstd(level: 3), "tar.zst")] {
            let read = try ReadContainer(try Self.tar(packing))
            #expect(read.format == format)
            #expect(read.entries == Self.files.map { .init(name: $0, content: $1) })
        }
    }

    @Test func `the same files make the same bytes`() throws {
        #expect(try Self.tar(.none, time: 0) == Self.tar(.none, time: 0))
        #expect(try Self.tar(.zstd(level: 5), time: 0) == Self.tar(.zstd(level: 5), time: 0))
    }

    @Test(.enabled(if: OtherProgram.isThere("tar", "bsdtar", "7z", "python3", "zstd", "sh")))
    func `GNU tar, bsdtar, 7z and Python read it`() throws {
        let folder = try TemporaryFolder("valise-tar", inMemory: true)
        let fileSystem = FileSystem()
        let shell = try #require(OtherProgram("sh"))
        try fileSystem.replace(folder.appending("a.tar"), with: try Self.tar(.none))
        try fileSystem.replace(folder.appending("b.tar.zst"), with: try Self.tar(.zstd(level: 3)))
        let programs = [
            "tar -xf a.tar -C out", "tar --zstd -xf b.tar.zst -C out", "bsdtar -xf a.tar -C out",
            "bsdtar -xf b.tar.zst -C out", "7z x -oout a.tar",
            "python3 -c 'import tarfile; tarfile.open(\"a.tar\").extractall(\"out\")'",
        ]
        for program in programs {
            let outcome = try shell.run(
                ["-c", "export LC_ALL=C.UTF-8; umask 000; rm -rf out; mkdir out && \(program)"],
                in: folder.path.string)
            #expect(outcome.status == 0, "\(program): \(outcome.output)")
            #expect(!outcome.output.lowercased().contains("warning"), "\(program): \(outcome.output)")
            for (name, bytes) in Self.files {
                let path = folder.path.appending("out/\(name)")
                #expect(try fileSystem.contents(of: path, limit: 1 << 24) == bytes, "\(program): \(name)")
                guard !program.hasPrefix("7z") else { continue }
                let found = try #require(try fileSystem.attributes(of: path))
                #expect(
                    found.permissions == .ownerReadWrite && found.modificationTime == 1_700_000_000,
                    "\(program)")
            }
        }
    }

    @Test func `a size of more than 8 GiB is in a pax header`() throws {
        let output = Output()
        let writer = try TarWriter(.none) { bytes in
            if output.bytes.count < 8192 { output.bytes += bytes.prefix(8192) }
            throw Stop()
        }
        // The content never comes: what is looked at is the header.
        #expect(throws: Stop.self) {
            try writer.add("simplex_v1_chat.db", size: 9 << 30, modificationTime: 0) { buffer in
                buffer.initializeMemory(as: UInt8.self, repeating: 0)
                return buffer.count
            }
        }
        #expect(String(decoding: output.bytes, as: UTF8.self).contains(" size=\(9 << 30)\n"))
    }

    @Test func `a file that shrinks is filled with zeros`() throws {
        let output = Output()
        let writer = try TarWriter(.none) { output.bytes += $0 }
        var isFirst = true
        let written = try writer.add("a", size: 2000, modificationTime: 0) { buffer in
            defer { isFirst = false }
            if isFirst { buffer.initializeMemory(as: UInt8.self, repeating: 7) }
            return isFirst ? 600 : 0
        }
        #expect(written == 600)
        _ = try writer.finish()
        let read = try ReadContainer(output.bytes)
        let content = [UInt8](repeating: 7, count: 600) + [UInt8](repeating: 0, count: 1400)
        #expect(read.entries == [.init(name: "a", content: content)])
    }

    @Test func `a writer that is given up leaves no end, and its reader sees that`() throws {
        let output = Output()
        do {
            let writer = try TarWriter(.none) { output.bytes += $0 }
            try writer.add("a", size: 600_000, modificationTime: 0) { buffer in
                buffer.initializeMemory(as: UInt8.self, repeating: 7)
                return buffer.count
            }
        }
        #expect(ReadContainer.refusal(output.bytes)?.code == .damaged)
    }
}
