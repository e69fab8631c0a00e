import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// Intact, damaged and hostile tars and 7zs: what is said of each, and what other programs say, as the table in
/// `Documentation/formats/container-verdicts.md` has it.
@Suite(.enabled(if: ["tar", "bsdtar", "7z", "python3"].allSatisfy { Program.tool($0) != nil }))
struct ContainerCorpusTests {
    private let folder: TemporaryFolder
    private let table: [Line]
    private let text: String

    /// | `case` | status, and defect | tar | bsdtar | 7z | why |
    private struct Line {
        let name: String
        let status: Int32
        let defect: String?
        let peers: [Int32]

        init?(_ line: Substring) {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.split(separator: " ").joined(separator: " ") }
            guard cells.count == 8, cells[1].hasPrefix("`") else { return nil }
            let words = cells[2].split(separator: " ")
            guard let status = words.first.flatMap({ Int32($0) }) else { return nil }
            name = cells[1].filter { $0 != "`" }
            self.status = status
            defect = words.dropFirst().first.map { $0.filter { $0 != "`" } }
            peers = cells[3...5].compactMap { Int32($0) }
        }
    }

    init() throws {
        folder = try TemporaryFolder("valise-container-corpus", inMemory: true)
        let path = FilePath(Repository.url("Documentation/formats/container-verdicts.md").path)
        text = String(decoding: try FileSystem().contents(of: path, limit: 1 << 20), as: UTF8.self)
        table = text.split(separator: "\n").compactMap { Line($0) }
        try FileSystem().replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        let made = try shell(
            """
            "$S" account "$K" --messages 10 && "$V" archive export account a.zip "$K" && \
            "$V" archive extract a.zip -C d && python3 "$P" d corpus
            """)
        try #require(made.status == 0, "\(made.output)\(made.errors)")
    }

    private func shell(_ line: String) throws -> Program.Outcome {
        let own = [
            "V": Program.valise, "S": Program.sample, "K": "--passphrase-file=\(folder.appending("key"))",
            "F": folder.path.string, "P": Repository.beside("Support/tars.py").path, "LC_ALL": "C.UTF-8",
        ]
        return try Program.run("/bin/sh", ["-c", "cd \"$F\" || exit 99; \(line)"], environment: own)
    }

    @Test func `each case has its line, and verify and an import say what it says`() throws {
        let names = try FileSystem().list(folder.appending("corpus")).compactMap(\.name)
        #expect(names.count >= 40 && Set(names) == Set(table.map(\.name)))
        for line in table {
            let verify = try shell("\"$V\" archive verify corpus/\(line.name) --json \"$K\"")
            #expect(verify.status == line.status, "\(line.name): \(verify.output)\(verify.errors)")
            if let defect = line.defect {
                #expect(verify.output.contains("\"defect\":\"\(defect)\""), "\(line.name): \(verify.output)")
            }
            let imported = try shell("\"$V\" archive import corpus/\(line.name) new \"$K\"")
            #expect(imported.status == line.status, "\(line.name): \(imported.errors)")
            let isThere = try FileSystem().exists(folder.appending("new"))
            #expect(isThere == (line.status == 0), "\(line.name)")
            if isThere { try FileSystem().removeTree(folder.appending("new")) }
        }
        #expect(
            try FileSystem().list(folder.path).compactMap(\.name).sorted()
                == ["a.zip", "account", "corpus", "d", "key"])
    }

    @Test func `other programs say what the table says`() throws {
        let versions = try shell("tar --version | head -n 1; bsdtar --version; 7z | head -n 3")
        let known = ["(GNU tar) 1.34", "bsdtar 3.6.2", "p7zip Version 16.02"]
        guard known.allSatisfy(versions.output.contains) else { return }
        for line in table {
            let peers = try ["tar -tf", "bsdtar --passphrase x -tf", "7z t -px"].map {
                try shell("timeout 30 \($0) corpus/\(line.name) > /dev/null 2>&1 < /dev/null").status
            }
            #expect(peers == line.peers, "\(line.name)")
        }
    }
}
