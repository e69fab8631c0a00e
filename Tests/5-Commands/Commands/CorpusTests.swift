import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// Some 220 whole, broken and hostile archives: what is said of each, and what its peers say.
struct CorpusTests {
    private let folder: TemporaryFolder
    private let corpus: Corpus

    init() throws {
        folder = try TemporaryFolder("valise-corpus", inMemory: true)
        corpus = try Corpus.shared.get()
    }

    @Test func `verify says the right thing of each archive`() async throws {
        #expect(corpus.cases.count >= 80)
        for (item, outcome) in try await Corpus.verified.value {
            let about = "\(item.name): \(item.what)\n\(outcome.output)\(outcome.errors)"
            #expect(outcome.status == item.status, "\(about)")
            for words in item.says { #expect(outcome.output.contains(words), "\(words) in \(about)") }
        }
    }

    @Test func `an import takes what verify says that it takes, and refuses the others with the same status`()
        async throws
    {
        let corpus = corpus
        let out = folder.appending("imported")
        try FileSystem().makeDirectory(out)
        let verified = Dictionary(
            uniqueKeysWithValues: try await Corpus.verified.value.map { ($0.name, $1) })
        let verdicts = try await corpus.each { item in
            try ImportVerdicts(of: item, try #require(verified[item.name]), corpus, in: out)
        }
        for (item, verdicts) in verdicts {
            #expect(verdicts.import == verdicts.expected, "\(item.name): \(item.what)\n\(verdicts)")
            #expect(verdicts.dryRun == verdicts.import, "\(item.name): \(item.what)\n\(verdicts)")
            #expect(verdicts.isThere == (verdicts.import == .taken), "\(item.name)")
        }
    }

    /// Peers of other versions than those of the table only lead to warnings.
    @Test(.enabled(if: ArchivePeers.areInstalled))
    func `where unzip and bsdtar judge otherwise, the table says why`() async throws {
        let path = FilePath(Repository.url("Documentation/formats/archive-verdicts.md").path)
        let text = String(
            decoding: try FileSystem().contents(of: path, limit: 1 << 20), as: UTF8.self)
        let lines = text.split(separator: "\n").compactMap { VerdictLine($0) }
        let table = Dictionary(lines.map { ($0.name, $0) }) { first, _ in first }
        #expect(table.count == lines.count, "a case has two lines")
        let isSameVersion = try ArchivePeers.versions().allSatisfy(text.contains)

        let corpus = corpus
        var unknown = Set(table.keys)
        for (item, peers) in try await corpus.each({ try ArchivePeers(of: corpus.path(of: $0)) }) {
            unknown.remove(item.name)
            guard let problem = Self.problem(item, peers, table[item.name]) else { continue }
            Issue.record("\(item.name): \(problem)", severity: isSameVersion ? .error : .warning)
        }
        #expect(unknown.isEmpty, "lines without a case")
    }

    private static func problem(_ item: Corpus.Case, _ peers: ArchivePeers, _ line: VerdictLine?) -> String? {
        guard let line else {
            return peers.differ(from: item.status) ? "no line for \(item.status) | \(peers)" : nil
        }
        guard peers.differ(from: item.status) else { return "a line, and no difference" }
        guard line.status == item.status, line.peers == peers else {
            return "the line says \(line.status) | \(line.peers), seen are \(item.status) | \(peers)"
        }
        return line.reason.isEmpty ? "no reason" : nil
    }
}

/// What verify, an import and its dry run make of one archive.
private struct ImportVerdicts: Sendable, CustomStringConvertible {
    enum Verdict: Sendable, Equatable {
        case taken
        case refused(Int32)

        /// Media that are damaged are listed, and the rest arrives.
        init(_ status: Int32) { self = [0, 3].contains(status) ? .taken : .refused(status) }
    }

    /// By what verify says.
    let expected: Verdict
    let dryRun: Verdict
    let `import`: Verdict
    /// Whether there is an account afterwards.
    let isThere: Bool
    let description: String

    private struct Report: Decodable { let importOutlook: String }

    init(of item: Corpus.Case, _ verified: Program.Outcome, _ corpus: Corpus, in folder: FilePath) throws {
        let (path, key) = (corpus.path(of: item), corpus.passphrase(of: item))
        let report = try JSONDecoder().decode(Report.self, from: Data(verified.output.utf8))
        // Whole, and only a newer program opens it: that is told, and no reason to refuse.
        expected = report.importOutlook == "newerThanKnown" ? .taken : Verdict(verified.status)
        let target = folder.appending(item.name)
        let arguments = ["archive", "import", path, target.string, "--quiet"] + key
        let planned = try Corpus.valise(arguments + ["--dry-run"])
        let imported = try Corpus.valise(arguments)
        dryRun = Verdict(planned.status)
        `import` = Verdict(imported.status)
        isThere = try FileSystem().exists(target)
        description =
            "verify \(verified.status) \(report), dry run \(planned.status), import \(imported.status)\n"
            + "\(planned.errors)\(imported.errors)"
        if isThere { try FileSystem().removeTree(target) }
    }
}
