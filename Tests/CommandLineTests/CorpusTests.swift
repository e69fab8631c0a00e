import FaultInjection
import Files
import SystemPackage
import Testing

/// Some 180 whole, broken and hostile archives: what is said of each, and what its peers say.
struct CorpusTests {
    private let folder: TemporaryFolder
    private let corpus: Corpus

    init() throws {
        folder = try TemporaryFolder("valise-corpus", inMemory: true)
        corpus = try Corpus(in: folder)
    }

    @Test func `verify says the right thing of each archive`() async throws {
        let corpus = corpus
        #expect(corpus.cases.count >= 80)
        let outcomes = try await corpus.each { item in
            try Corpus.valise(
                ["archive", "verify", corpus.path(of: item), "--json"] + corpus.passphrase(of: item))
        }
        for (item, outcome) in outcomes {
            let about = "\(item.name): \(item.what)\n\(outcome.output)\(outcome.errors)"
            #expect(outcome.status == item.status, "\(about)")
            for words in item.says { #expect(outcome.output.contains(words), "\(words) in \(about)") }
        }
    }

    /// Peers of other versions than those of the table only lead to warnings.
    @Test(.enabled(if: ArchivePeers.areInstalled))
    func `where unzip and bsdtar judge otherwise, the table says why`() async throws {
        let path = Corpus.root.appending("Documentation/formats/archive-verdicts.md")
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
