import Testing
import ValiseAccounts
import ValiseMaintenance

/// Damage of whole pages and of the file, each told by its name.
struct DamageTests {
    private static let sound = Result { try CheckedAccount() }
    private let account: CheckedAccount

    init() throws {
        account = try CheckedAccount(copying: Self.sound.get())
    }

    private func problems() throws -> [DatabaseProblem] {
        let report = try account.check(quick: true)
        #expect(report.verdict == .damaged)
        #expect(report.agent.isIntact)
        #expect(report.agreement == nil)
        return report.chat.problems
    }

    @Test func `a file that ends too early`() throws {
        let pages = try account.bytes(of: .chat).count / CheckedAccount.pageSize
        try account.change(.chat) { $0.removeLast(3 * CheckedAccount.pageSize) }
        let whole = try problems()
        #expect(whole.map(\.kind) == [.cutOff])
        #expect(whole.first?.page == UInt32(pages - 2))
        try account.change(.chat) { $0.removeLast(100) }
        let half = try problems()
        #expect(half.first?.kind == .cutOff)
        #expect(half.first?.page == UInt32(pages - 3))
        #expect(half.first?.message.contains("the database has \(pages) pages") == true)
    }

    @Test func `bytes behind the end`() throws {
        try account.change(.chat) { $0 += [1, 2, 3] }
        #expect(try problems().first?.message.contains("3 bytes after the last complete page") == true)
    }

    @Test func `less than a page, and nothing`() throws {
        try account.change(.chat) { $0 = Array($0.prefix(700)) }
        #expect(try problems().first?.page == 1)
        try account.replace(.chat, with: [])
        let problem = try #require(try problems().first)
        #expect(problem.kind == .notADatabase)
        #expect(problem.message == "the file is empty")
    }

    @Test func `databases under each other's names`() throws {
        let (chat, agent) = (try account.bytes(of: .chat), try account.bytes(of: .agent))
        try account.replace(.chat, with: agent)
        try account.replace(.agent, with: chat)
        for isQuick in [true, false] {
            let report = try account.check(quick: isQuick)
            #expect(report.verdict == .damaged)
            for (_, found) in report.databases {
                #expect(found.problems.map(\.kind) == [.structure])
                #expect(found.problems.first?.message.contains("wrong name") == true)
            }
        }
        try account.replace(.chat, with: chat)
        let twice = try account.check(quick: true)
        #expect(twice.verdict == .damaged && twice.chat.isIntact && !twice.agent.isIntact)
    }

    @Test func `a first page of zeros`() throws {
        try account.change(.chat) {
            $0.replaceSubrange(CheckedAccount.range(ofPage: 1), with: [UInt8](repeating: 0, count: 4096))
        }
        #expect(try problems().first?.page == 1)
    }

    @Test func `a first page whose content is damaged is no wrong passphrase`() throws {
        try account.change(.chat) { $0[2000] ^= 0xff }
        let problem = try #require(try problems().first)
        #expect(problem.page == 1)
        #expect(problem.table == "the schema")
        #expect(try account.check().chat.key == .right)
    }

    @Test func `a page of zeros`() throws {
        try account.change(.chat) {
            $0.replaceSubrange(CheckedAccount.range(ofPage: 90), with: [UInt8](repeating: 0, count: 4096))
        }
        let problem = try #require(try problems().first)
        #expect(problem.page == 90)
        #expect(problem.state == .zeros)
    }

    @Test func `two pages in each other's place`() throws {
        try account.change(.chat) { bytes in
            let (first, second) = (CheckedAccount.range(ofPage: 70), CheckedAccount.range(ofPage: 170))
            let kept = Array(bytes[first])
            bytes.replaceSubrange(first, with: Array(bytes[second]))
            bytes.replaceSubrange(second, with: kept)
        }
        let problems = try problems()
        #expect(problems.map(\.page) == [70, 170])
        #expect(problems.map(\.state) == [.moved, .moved])
        #expect(problems.map(\.belongsTo) == [170, 70])
    }

    @Test func `a page of the other database`() throws {
        let agent = try account.bytes(of: .agent)
        let range = CheckedAccount.range(ofPage: 60)
        try account.change(.chat) { $0.replaceSubrange(range, with: agent[range]) }
        let problem = try #require(try problems().first)
        #expect(problem.page == 60)
        #expect(problem.state == .foreign)
    }

    @Test func `a page of another account with the same passphrase`() throws {
        let other = try CheckedAccount(seed: 2, messages: 100).bytes(of: .chat)
        let range = CheckedAccount.range(ofPage: 60)
        try account.change(.chat) { $0.replaceSubrange(range, with: other[range]) }
        let problem = try #require(try problems().first)
        #expect(problem.page == 60)
        #expect(problem.state == .altered)
    }

    @Test func `the first page of the other database takes all others with it`() throws {
        let agent = try account.bytes(of: .agent)
        let range = CheckedAccount.range(ofPage: 1)
        let pages = try account.bytes(of: .chat).count / CheckedAccount.pageSize
        try account.change(.chat) { $0.replaceSubrange(range, with: agent[range]) }
        let report = try account.check(quick: true)
        #expect(report.verdict == .damaged)
        #expect(report.chat.problemCount >= pages - 1)
    }

    @Test func `more damage than is listed is counted`() throws {
        let large = try CheckedAccount(messages: 4000)
        let pages = try large.bytes(of: .chat).count / CheckedAccount.pageSize
        try #require(pages > 1100)
        try large.change(.chat) { bytes in
            for page in 2...pages { bytes[CheckedAccount.range(ofPage: page).lowerBound + 9] ^= 1 }
        }
        let report = try large.check(quick: true)
        #expect(report.chat.problemCount == pages - 1)
        #expect(report.chat.problems.count == 1000)
    }

    @Test func `a passphrase that is wrong for both is no damage`() throws {
        let report = try account.check(key: "5b")
        #expect(report.verdict == .wrongPassphrase)
        #expect(report.chat.key == .wrong)
        #expect(report.agent.key == .wrong)
        #expect(report.chat.problemCount == 0)
    }
}
