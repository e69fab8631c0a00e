import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseFiles

/// The archives that `corpus.py` builds, and what is expected of each.
struct Corpus {
    struct Case: Decodable, Sendable {
        enum Key: String, Decodable { case right, wrong, none }
        /// Where the damage is.
        enum Kind: String, Decodable { case whole, ends, headers, names, sizes, content, accounts }

        let name: String
        let kind: Kind
        /// What was done, in one sentence.
        let what: String
        /// Of `valise archive verify`.
        let status: Int32
        /// What its JSON has to contain.
        let says: [String]
        /// The passphrase that is given.
        let key: Key
        /// Whether every byte of every file of the account lies in it, stored.
        let intact: Bool
    }

    let cases: [Case]
    private let folder: FilePath

    /// Built once for all tests, none of which changes it.
    static let shared = Result { try Corpus(in: TemporaryFolder.untilExit("valise-corpus")) }

    /// What `archive verify --json` says of each case.
    static let verified = Task {
        let corpus = try shared.get()
        return try await corpus.each { item in
            try valise(["archive", "verify", corpus.path(of: item), "--json"] + corpus.passphrase(of: item))
        }
    }

    private init(in folder: FilePath) throws {
        self.folder = folder
        let fileSystem = FileSystem()
        let keys = (right: folder.appending("right"), wrong: folder.appending("wrong"))
        try fileSystem.replace(keys.right, with: Array(AccountState.passphrase.utf8))
        try fileSystem.replace(keys.wrong, with: Array(AccountState.otherPassphrase.utf8))
        let (accounts, archives) = (folder.appending("accounts"), folder.appending("archives"))
        try fileSystem.makeDirectory(accounts)
        try fileSystem.makeDirectory(archives)
        try CorpusAccounts.export(to: archives, keys: keys, in: accounts)

        let script = Repository.url("Tests/3-Subjects/AccountArchives/Verification/Support/corpus.py")
        let python = try #require(Program.tool("python3"))
        let built = try Program.run(
            python, [script.path, archives.string, folder.appending("cases").string])
        try #require(built.status == 0, "\(built.errors)")
        let listed = try fileSystem.contents(of: folder.appending("cases/cases.json"), limit: 1 << 20)
        cases = try JSONDecoder().decode([Case].self, from: Data(listed))
    }

    /// The archive that all cases but the variants start from.
    var account: FilePath { folder.appending("archives").appending("account.zip") }

    func path(of item: Case) -> String { folder.appending("cases/\(item.name).zip").string }

    /// How the passphrase of a case is given.
    func passphrase(of item: Case) -> [String] {
        item.key == .none ? ["--no-input"] : ["--passphrase-file=\(folder.appending(item.key.rawValue))"]
    }

    /// What `run` tells of every case, two at a time.
    func each<Result: Sendable>(
        _ run: @escaping @Sendable (Case) throws -> Result
    ) async throws -> [(Case, Result)] {
        let cases = cases
        return try await withThrowingTaskGroup(of: [(Case, Result)].self) { group in
            for first in 0..<2 {
                group.addTask {
                    try stride(from: first, to: cases.count, by: 2).map { (cases[$0], try run(cases[$0])) }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Runs the program under a limit of time: status 124 tells that it hung.
    static func valise(_ arguments: [String]) throws -> Program.Outcome {
        guard let timeout = Program.tool("timeout") else {
            return try Program.run(Program.valise, arguments)
        }
        return try Program.run(timeout, ["60", Program.valise] + arguments)
    }
}
