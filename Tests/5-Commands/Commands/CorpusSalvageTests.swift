import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseArchives
import ValiseFiles

/// `valise archive salvage` of every archive of the corpus.
struct CorpusSalvageTests {
    private let folder: TemporaryFolder
    private let corpus: Corpus

    init() throws {
        folder = try TemporaryFolder("valise-corpus", inMemory: true)
        corpus = try Corpus.shared.get()
    }

    @Test func `salvage ends, what it writes is sound, and it claims no more than is there`() async throws {
        let out = folder.appending("salvaged")
        try FileSystem().makeDirectory(out)
        let corpus = corpus
        let original = try SalvagedArchive.files(corpus.account)
        let outcomes = try await corpus.each { try SalvagedArchive($0, of: corpus, in: out) }
        for (item, salvaged) in outcomes {
            #expect(
                [0, 3, 10, 12, 13, 14, 15].contains(salvaged.status),
                "\(item.name): \(salvaged.status) \(salvaged.errors)")
            #expect(salvaged.isWritten == [0, 3].contains(salvaged.status), "\(item.name)")
            guard salvaged.isWritten else { continue }
            #expect(salvaged.unzip == 0, "\(item.name): what was written is no sound zip")
            #expect(salvaged.zipProblem == nil, "\(item.name)")
            // What was saved may be of another version. It may not be damaged, nor open to another passphrase only.
            if salvaged.status == 0 {
                #expect([0, 3, 14].contains(salvaged.verified), "\(item.name): \(salvaged.verified)")
            }
            if ["version-9", "zip64-field-twice"].contains(item.name) {
                #expect(Set(salvaged.kept.keys) == Set(original.keys), "\(item.name)")
            }
            let wrong = Self.wrong(in: salvaged, of: item, original)
            #expect(wrong.isEmpty, "\(item.name): \(wrong)")
        }
        let names = try FileSystem().list(out).compactMap(\.name)
        #expect(names.allSatisfy { $0.hasSuffix(".zip") }, "something was left behind: \(names)")
    }

    /// The files of the account that are not what they were, or not there, though nothing of them was damaged.
    private static func wrong(
        in salvaged: SalvagedArchive, of item: Corpus.Case, _ original: [String: SalvagedArchive.File]
    ) -> [String] {
        guard [.whole, .ends, .headers, .names].contains(item.kind) else { return [] }
        let isAllThere = item.kind == .ends && item.intact
        let databases = item.kind == .ends ? [] : ["simplex_v1_chat.db", "simplex_v1_agent.db"]
        let expected = isAllThere ? Set(original.keys) : Set(salvaged.kept.keys).union(databases)
        return expected.filter { original[$0] != nil && salvaged.kept[$0] != original[$0] }.sorted()
    }
}

/// What a salvage of a case came to.
private struct SalvagedArchive: Sendable {
    struct File: Sendable, Equatable {
        let size: Int64
        let checksum: UInt32
    }

    let status: Int32
    let errors: String
    let isWritten: Bool
    /// Of `unzip -t`; 0 where it is not installed.
    let unzip: Int32
    /// The status of `archive verify`.
    let verified: Int32
    /// What verify says of the zip itself.
    let zipProblem: String?
    /// The files of the new archive that the report calls whole.
    let kept: [String: File]

    private struct Report: Decodable {
        struct Entry: Decodable { let name: String }
        let kept: [Entry]
    }

    private struct Verified: Decodable {
        struct Problem: Decodable { let message: String }
        struct Structure: Decodable { let refusal: Problem? }
        struct Contents: Decodable { let problems: [Problem] }
        let structure: Structure
        let contents: Contents?
    }

    init(_ item: Corpus.Case, of corpus: Corpus, in folder: FilePath) throws {
        let target = folder.appending("\(item.name).zip")
        let key = corpus.passphrase(of: item)
        let outcome = try Corpus.valise(
            ["archive", "salvage", corpus.path(of: item), target.string, "--json"] + key)
        status = outcome.status
        errors = outcome.errors
        isWritten = try FileSystem().exists(target)
        guard isWritten else {
            (unzip, verified, zipProblem, kept) = (0, 0, nil, [:])
            return
        }
        unzip =
            try Program.tool("unzip").map { try Program.run($0, ["-tqq", target.string]).status } ?? 0
        // What grows much is saved where its checksum proves it; reading it then asks for trust, as with the original.
        let verify = try Corpus.valise(
            ["archive", "verify", target.string, "--json", "--max-ratio", "1000000"] + key)
        verified = verify.status
        let found = try JSONDecoder().decode(Verified.self, from: Data(verify.output.utf8))
        zipProblem = (found.structure.refusal ?? found.contents?.problems.first)?.message
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        let files = try Self.files(target)
        kept = Dictionary(report.kept.compactMap { entry in files[entry.name].map { (entry.name, $0) } }) {
            $1
        }
    }

    /// The files in an archive.
    static func files(_ archive: FilePath) throws -> [String: File] {
        let index = try ZipIndex(
            FileSystem().openForReading(archive), limits: ZipLimits(entries: .max, ratio: .max))
        return Dictionary(
            index.entries.map { ($0.name, File(size: $0.size, checksum: $0.checksum)) }
        ) { $1 }
    }
}
