import FaultInjection
import Foundation
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseMaintenance

/// Single bits, flipped anywhere in either database.
///
/// `VALISE_SOAK=1` flips 200 for each way of keeping free space, `VALISE_SEED` repeats an earlier run.
struct BitFlipTests {
    private static let isSoak = ProcessInfo.processInfo.environment["VALISE_SOAK"] != nil
    private static let seed =
        ProcessInfo.processInfo.environment["VALISE_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...999_999)

    /// Which table or index each page belongs to, as SQLite's own `dbstat` says; nil where it is not built in.
    private func owners(_ account: CheckedAccount, _ database: AccountDatabase) throws -> [Int64: String]? {
        let connection = try account.connect(database)
        guard try connection.value("SELECT 1 FROM pragma_module_list WHERE name = 'dbstat'") == 1 else {
            return nil
        }
        var owners: [Int64: String] = [:]
        for row in try connection.rows("SELECT pageno, name FROM dbstat") {
            owners[try #require(row[0].integer)] = row[1].text
        }
        return owners
    }

    @Test(arguments: [0, 1])
    func `each is found, and its page and table are named`(autoVacuum: Int) throws {
        print("seed of the flips: \(Self.seed)")
        var random = SeededGenerator(seed: Self.seed &+ UInt64(autoVacuum))
        let account = try CheckedAccount()
        var owners: [AccountDatabase: [Int64: String]] = [:]
        for database in AccountDatabase.allCases {
            try account.connect(database).execute("PRAGMA auto_vacuum = \(autoVacuum); VACUUM")
            owners[database] = try self.owners(account, database)
        }
        #expect(try account.check().chat.isIntact)
        var named = 0
        let flips = Self.isSoak ? 200 : 30
        for flip in 0..<flips {
            let database: AccountDatabase = flip % 3 == 0 ? .agent : .chat
            let sound = try account.bytes(of: database)
            // The salt, the rest of the first page, the ends of pages, then anywhere.
            let place =
                switch flip {
                case 0, 1: Int.random(in: 0..<16, using: &random)
                case 2, 3: Int.random(in: 16..<CheckedAccount.pageSize, using: &random)
                case 4, 5: sound.count - Int.random(in: 1...80, using: &random)
                default: Int.random(in: 0..<sound.count, using: &random)
                }
            let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
            try account.change(database) { $0[place] ^= bit }
            let report = try account.check(quick: flip % 10 != 9)
            let page = UInt32(place / CheckedAccount.pageSize + 1)
            let findings = database == .chat ? report.chat : report.agent
            let comment: Comment = "byte \(place), bit \(bit) of \(database): \(findings.problems)"
            #expect(report.verdict == .damaged, comment)
            #expect(findings.problemCount == 1, comment)
            #expect(findings.problems.first?.page == page, comment)
            #expect(findings.problems.first?.offset == Int64(page - 1) * 4096, comment)
            if let owner = owners[database]?[Int64(page)] {
                let expected = owner == "sqlite_schema" ? "the schema" : owner
                #expect(findings.problems.first?.table?.hasSuffix(expected) == true, comment)
                named += 1
            }
            let other = database == .chat ? report.agent : report.chat
            #expect(other.isIntact, comment)
            try account.replace(database, with: sound)
        }
        #expect(named > flips / 2 || owners.isEmpty)
        #expect(try account.check().chat.isIntact)
    }
}
