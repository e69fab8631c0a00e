import FaultInjection
import SystemPackage
import Testing
import ValiseArchives
import ValiseContainers
import ValiseFailures
import ValiseFiles

/// What is kept of tars that are damaged, or that were made to do harm.
struct ContainerSalvageTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws { folder = try TemporaryFolder("valise-container-salvage", inMemory: true) }

    private struct Salvaged {
        var entries: [String: [UInt8]] = [:]
        var findings = ContainerCopy.Findings()

        /// Those that are in the zip as they were.
        var whole: [String: [UInt8]] {
            let cut = findings.lost.filter { $0.copied != nil }.compactMap(\.name)
            return entries.filter { !cut.contains($0.key) }
        }
    }

    private func salvage(_ bytes: [UInt8], limits: ZipLimits = ZipLimits()) throws -> Salvaged {
        let path = folder.appending("archive")
        try fileSystem.replace(path, with: bytes)
        let source = try FileSource(path)
        let kind = try #require(try ContainerKind(of: source))
        var salvaged = Salvaged()
        let copy = ContainerCopy(in: folder.path, limits: limits)
        let file = try copy.salvage(source, kind, findings: &salvaged.findings) { _ in }
        let zip = try FileSource(file)
        let index = try zip.withFile { try ZipIndex($0) }
        let contents = ZipContents(index, zip)
        for entry in index.entries {
            var content: [UInt8] = []
            try contents.read(entry) { content += $0 }
            salvaged.entries[entry.name] = content
        }
        return salvaged
    }

    @Test func `an intact tar is kept as it is`() throws {
        let salvaged = try salvage(TarForge.tar([("simplex_v1_chat.db", "first"), ("a/b", "")]))
        #expect(salvaged.entries == ["simplex_v1_chat.db": Array("first".utf8), "a/b": []])
        #expect(salvaged.findings.lost.isEmpty && salvaged.findings.end == nil)
        #expect(salvaged.findings.entries == 2)
    }

    @Test(arguments: HostileTarTests.cases)
    func `of a hostile tar what came before is kept, and what is refused is named`(
        _ one: HostileTarTests.Case
    ) throws {
        let salvaged = try salvage(one.bytes)
        let whole = salvaged.whole
        #expect(whole["simplex_v1_chat.db"] == Array("first".utf8))
        let harmless: Set = [
            "simplex_v1_chat.db", "simplex_v1_files/passwd", "a/b/c", "x",
        ]
        #expect(Set(whole.keys).isSubset(of: harmless), "\(whole.keys)")
        #expect(whole["x"] == nil || one.name == "no-end", "\(one.name)")
        #expect(!salvaged.findings.lost.isEmpty || salvaged.findings.end != nil)
    }

    @Test func `what is behind a refused entry is read`() throws {
        var forge = TarForge()
        forge.add("link", type: "2", link: "/etc")
        forge.add("../x", content: "x")
        forge.add("simplex_v1_chat.db", content: "first")
        forge.add("simplex_v1_chat.db", content: "second")
        forge.add("a", content: "x")
        forge.end()
        let salvaged = try salvage(forge.bytes)
        #expect(salvaged.entries == ["simplex_v1_chat.db": Array("first".utf8), "a": Array("x".utf8)])
        #expect(salvaged.findings.end == nil && salvaged.findings.entries == 5)
        #expect(salvaged.findings.lost.map(\.name) == ["link", "../x", "simplex_v1_chat.db"])
        #expect(salvaged.findings.lost.allSatisfy { $0.copied == nil })
    }

    @Test func `of a tar that is cut anywhere, every entry is as it was, cut, or not there`() throws {
        let database = (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) }
        let files = [("simplex_v1_chat.db", database), ("a", [1, 2, 3]), ("b", Array(database.prefix(700)))]
        var forge = TarForge()
        for (name, content) in files { forge.add(Array(name.utf8), content: content) }
        forge.end()
        for end in stride(from: 512, to: forge.bytes.count - 1024, by: 256) {
            let salvaged = try salvage(Array(forge.bytes[..<end]))
            #expect(salvaged.findings.end?.code == .damaged, "cut at \(end)")
            for (name, content) in files {
                guard let found = salvaged.entries[name] else { continue }
                #expect(content.starts(with: found), "cut at \(end)")
                let isWhole = found.count == content.count
                #expect(isWhole == (salvaged.whole[name] != nil), "\(name) cut at \(end)")
            }
            // A page of the database less than what is there, at most.
            let found = salvaged.entries["simplex_v1_chat.db"]?.count ?? 0
            #expect(found >= min(9000, end - 512) / 4096 * 4096, "cut at \(end)")
        }
    }

    @Test func `a size that is declared counts only as far as it comes`() throws {
        var forge = TarForge()
        forge.add("simplex_v1_chat.db", content: String(repeating: "c", count: 5000), size: 1 << 32)
        let salvaged = try salvage(forge.bytes)
        #expect(salvaged.findings.end?.defect == .truncated)
        #expect(salvaged.entries["simplex_v1_chat.db"]?.count ?? 0 >= 4096)
        #expect(salvaged.findings.lost.first?.copied == 4096)
    }
}
