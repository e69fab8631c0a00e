import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValisePages
import ValiseSecrets

#if canImport(Glibc)
    import Glibc
#endif

@Suite(.serialized)
struct SalvageTests {
    private static let pageSize = SalvageFixture.pageSize

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    @Test(arguments: [0, 1, 2]) func `a sound account is saved whole, and nothing is said to be lost`(
        kind: Int
    ) throws {
        let fixture = try [SalvageFixture.withMap, SalvageFixture.withoutMap, SalvageFixture.plain][kind]
            .get()
        for (database, original) in fixture.originals {
            let outcome = try fixture.salvage(database, original.bytes)
            #expect(outcome.lost.isEmpty && outcome.invented.isEmpty)
            #expect(outcome.schema == original.schema)
            #expect(outcome.autoVacuum == original.autoVacuum)
            #expect(outcome.userVersion == .integer(7))
            #expect(outcome.report.isComplete)
        }
    }

    @Test func `a flipped bit loses only what its page held, wherever it is`() throws {
        let seed = Self.environment("VALISE_SEED").flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64.max)
        let rounds = Self.environment("VALISE_SOAK") == nil ? 20 : 200
        print("flipped bits: VALISE_SEED=\(seed), \(rounds) rounds")
        var generator = SeededGenerator(seed: seed)
        for round in FaultSweep.few(of: 0..<rounds) {
            let fixture = try (round % 4 == 3 ? SalvageFixture.withoutMap : SalvageFixture.withMap).get()
            let database: AccountDatabase = round % 3 == 2 ? .agent : .chat
            guard let original = fixture.originals[database] else { continue }
            let bit = Int.random(in: 0..<original.bytes.count * 8, using: &generator)
            try check(fixture, database, original, bit: bit)
        }
    }

    private func check(
        _ fixture: SalvageFixture, _ database: AccountDatabase, _ original: SalvageFixture.Original, bit: Int
    ) throws {
        var bytes = original.bytes
        bytes[bit / 8] ^= 1 << (bit % 8)
        try check(fixture, database, original, bytes, at: bit)
    }

    /// - Parameter bit: where the bytes are not as they were; nowhere but on its page.
    private func check(
        _ fixture: SalvageFixture, _ database: AccountDatabase, _ original: SalvageFixture.Original,
        _ bytes: [UInt8], at bit: Int
    ) throws {
        let page = bit / 8 / Self.pageSize + 1
        let outcome = try fixture.salvage(database, bytes)
        let facts = original.pages[page].map { "\($0.kind) page of \($0.name)" } ?? "page of no tree"
        let said = (outcome.report.notes.map(\.sentence) + outcome.report.lostObjects).joined(separator: "; ")
        let place = Comment(
            rawValue: "bit \(bit) of \(database.rawValue): page \(page), a \(facts); salvage said: \(said)")
        #expect(outcome.lost == fixture.expectedLoss(database, page: page), place)
        #expect(outcome.invented.isEmpty, place)
        #expect(outcome.schema == original.schema, place)
        if bit >= 128 {
            #expect(Array(outcome.report.damagedPages.pages) == [UInt32(page)], place)
            #expect(outcome.autoVacuum == original.autoVacuum, place)
        }
        if bit >= 128, !fixture.isEmptyTablePage(database, page: page) {
            #expect(outcome.lost.isEmpty == outcome.report.isComplete, place)
        }
    }

    @Test(arguments: [true, false])
    func `a page of the schema that is lost or garbled costs no row: roots follow from their order`(
        hasMap: Bool
    ) throws {
        let seed = Self.environment("VALISE_SEED").flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64.max)
        print("pages of the schema: VALISE_SEED=\(seed)")
        var generator = SeededGenerator(seed: seed)
        let fixture = try (hasMap ? SalvageFixture.withMap : SalvageFixture.withoutMap).get()
        guard let original = fixture.originals[.chat] else { throw SalvageFixtureError() }
        let pages = original.pages.filter { $0.key > 1 && $0.value.name.hasPrefix("sqlite_schema") }.keys
            .sorted()
        #expect(pages.count >= 8)
        let rounds = Self.environment("VALISE_SOAK") == nil ? 0 : 12
        for page in FaultSweep.few(of: pages) {
            let start = (page - 1) * Self.pageSize
            var bytes = original.bytes
            for index in start..<start + Self.pageSize { bytes[index] = 0 }
            try check(fixture, .chat, original, bytes, at: start * 8)
            // What a flipped bit leaves of its block is chance: a root may come out as another number.
            for _ in 0..<rounds {
                let bit = Int.random(in: 0..<Self.pageSize * 8, using: &generator)
                try check(fixture, .chat, original, bit: start * 8 + bit)
            }
        }
    }

    @Test(arguments: [UInt32.max, UInt32(1) << 31, 1, 0])
    func `a root that can be none is no help and no harm where part of the schema is lost`(
        root: UInt32
    ) throws {
        let fixture = try SalvageFixture.withoutMap.get()
        guard let original = fixture.originals[.chat] else { throw SalvageFixtureError() }
        let folder = try TemporaryFolder("valise-salvage")
        let path = try fixture.place([.chat: original.bytes], in: folder).path(of: .chat)
        do {
            let key = try SecretBytes(copying: fixture.passphrase)
            let connection = try Connection(path, mode: .readWrite, passphrase: key)
            try connection.execute("PRAGMA writable_schema = ON")
            try connection.run(
                "UPDATE sqlite_master SET rootpage = ? WHERE name = 'users'", [.integer(Int64(root))])
        }
        var bytes = try FileSystem().contents(of: path, limit: 1 << 28)
        let lost = try #require(
            original.pages.filter { $0.value.name.hasPrefix("sqlite_schema") && $0.value.kind == "leaf" }.keys
                .max())
        for index in (lost - 1) * Self.pageSize..<lost * Self.pageSize { bytes[index] = 0 }
        let outcome = try fixture.salvage(.chat, bytes)
        #expect(outcome.invented.isEmpty && outcome.schema == original.schema)
        #expect(outcome.lost.keys.allSatisfy { $0 == "users" }, "\(outcome.lost) \(outcome.report.notes)")
    }

    @Test(arguments: [true, false])
    func `each kind of page is survived: schema, roots, inner pages, overflow, indexes, pointer map`(
        hasMap: Bool
    ) throws {
        let fixture = try (hasMap ? SalvageFixture.withMap : SalvageFixture.withoutMap).get()
        guard let original = fixture.originals[.chat] else { throw SalvageFixtureError() }
        var chosen: [String: Int] = [:]
        for (page, facts) in original.pages.sorted(by: { $0.key < $1.key }) {
            let isTable = original.tables.contains(facts.name)
            let owner = facts.name.hasPrefix("sqlite_schema") ? "schema" : isTable ? "table" : "index"
            let key = original.withoutRowID.contains(facts.name) ? "keyed table" : owner
            chosen["\(facts.kind) \(key)", default: page] = page
        }
        #expect(chosen.count >= 8)
        for page in Set(chosen.values).union(hasMap ? [1, 2] : [1]).sorted() {
            try check(fixture, .chat, original, bit: ((page - 1) * Self.pageSize + 1000) * 8 + 3)
        }
    }

    @Test func `a zeroed first page costs no row, though the salt is gone with it: the key is raw`() throws {
        for fixture in [try SalvageFixture.withMap.get(), try SalvageFixture.withoutMap.get()] {
            for (database, original) in fixture.originals {
                var bytes = original.bytes
                for index in 0..<Self.pageSize { bytes[index] = 0 }
                let outcome = try fixture.salvage(database, bytes)
                #expect(outcome.lost.isEmpty && outcome.invented.isEmpty)
                #expect(outcome.schema == original.schema)
            }
        }
    }

    @Test func `a first page of garbage behind an intact salt costs no row`() throws {
        let fixture = try SalvageFixture.withMap.get()
        guard let original = fixture.originals[.chat] else { throw SalvageFixtureError() }
        var bytes = original.bytes
        for index in 16..<Self.pageSize { bytes[index] = UInt8(truncatingIfNeeded: index &* 37) }
        let outcome = try fixture.salvage(.chat, bytes)
        #expect(outcome.lost.isEmpty && outcome.invented.isEmpty)
        #expect(outcome.schema == original.schema)
        #expect(Array(outcome.report.damagedPages.pages) == [1])
    }

    @Test func `two swapped pages, and a page of another database, count as lost and as nothing else`() throws
    {
        let fixture = try SalvageFixture.withMap.get()
        guard let original = fixture.originals[.chat], let agent = fixture.originals[.agent] else {
            throw SalvageFixtureError()
        }
        let leaves = original.pages.filter {
            $0.value.kind == "leaf" && original.tables.contains($0.value.name)
        }
        .keys.sorted()
        let (one, two) = (leaves[leaves.count / 3], leaves[leaves.count / 2])
        func range(_ page: Int) -> Range<Int> { (page - 1) * Self.pageSize..<page * Self.pageSize }
        var swapped = original.bytes
        swapped.replaceSubrange(range(one), with: original.bytes[range(two)])
        swapped.replaceSubrange(range(two), with: original.bytes[range(one)])
        let outcome = try fixture.salvage(.chat, swapped)
        let expected = fixture.expectedLoss(.chat, page: one).merging(
            fixture.expectedLoss(.chat, page: two), uniquingKeysWith: +)
        #expect(outcome.lost == expected && outcome.invented.isEmpty)
        #expect(Array(outcome.report.damagedPages.pages) == [UInt32(one), UInt32(two)])

        var foreign = original.bytes
        foreign.replaceSubrange(range(one), with: agent.bytes[range(9)])
        let other = try fixture.salvage(.chat, foreign)
        #expect(other.lost == fixture.expectedLoss(.chat, page: one) && other.invented.isEmpty)
    }

    @Test func `a file that was cut off keeps what was before the cut`() throws {
        let seed = Self.environment("VALISE_SEED").flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64.max)
        print("truncation: VALISE_SEED=\(seed)")
        var generator = SeededGenerator(seed: seed)
        let fixture = try SalvageFixture.withMap.get()
        guard let original = fixture.originals[.chat] else { throw SalvageFixtureError() }
        for _ in 0..<(Self.environment("VALISE_SOAK") == nil ? 5 : 60) {
            let size = Int.random(in: Self.pageSize * 3..<original.bytes.count, using: &generator)
            let outcome = try fixture.salvage(.chat, Array(original.bytes[..<size]))
            var most = 0
            for page in (size / Self.pageSize + 1)...(original.bytes.count / Self.pageSize) {
                most += fixture.expectedLoss(.chat, page: page).values.reduce(0, +)
            }
            // Small tables whose schema is lost as well cannot always be told apart: their rows are found.
            let lost = outcome.lostCount - (outcome.lost["migrations"] ?? 0)
            #expect(lost <= most + outcome.report.lostAndFoundRows, "cut to \(size) bytes")
            #expect(outcome.invented.isEmpty, "cut to \(size) bytes")
            #expect(!outcome.report.isComplete)
        }
    }

    @Test(.enabled(if: RecoverPeer.isThere), arguments: [0, 1, 2])
    func `at least the rows that the sqlcipher shell's recover saves are saved`(
        kind: Int
    ) throws {
        let fixture = try [SalvageFixture.withMap, SalvageFixture.withoutMap, SalvageFixture.plain][kind]
            .get()
        let seed = Self.environment("VALISE_SEED").flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64.max)
        print(".recover: VALISE_SEED=\(seed)")
        var generator = SeededGenerator(seed: seed)
        guard let original = fixture.originals[.chat] else { throw SalvageFixtureError() }
        for round in 0..<3 {
            var bytes = original.bytes
            for _ in 0..<(round * 8) {
                let page = Int.random(in: 1..<bytes.count / Self.pageSize, using: &generator)
                for index in page * Self.pageSize..<(page + 1) * Self.pageSize { bytes[index] = 0 }
            }
            let outcome = try fixture.salvage(.chat, bytes)
            let peer = try RecoverPeer.rows(of: bytes, passphrase: fixture.passphrase)
            let known = original.tables.subtracting(["sqlite_schema", "sqlite_temp_schema"])
            let saved = peer.filter { known.contains($0.key) }
            for (table, rows) in saved {
                let real = rows.reduce(0) { $0 + min($1.value, original.rows[table]?[$1.key] ?? 0) }
                let all = original.rows[table]?.values.reduce(0, +) ?? 0
                #expect(all - (outcome.lost[table] ?? 0) >= real, "round \(round): \(table)")
            }
            #expect(saved.values.contains { !$0.isEmpty })
        }
    }

    @Test func `a missing or empty database is said to be missing, and the other one is saved`() throws {
        let fixture = try SalvageFixture.withMap.get()
        guard let original = fixture.originals[.chat] else { throw SalvageFixtureError() }
        let folder = try TemporaryFolder("valise-salvage")
        let location = try fixture.place([.chat: original.bytes, .agent: []], in: folder)
        let key = try SecretBytes(copying: fixture.passphrase)
        let report = try AccountSalvage().run(location, to: folder.appending("saved"), passphrase: key)
        #expect(report.databases.map(\.state) == [.salvaged, .missing])
        #expect(!report.isComplete)
    }

    @Test func `with a wrong passphrase, or nothing to save, nothing is left behind`() throws {
        let fixture = try SalvageFixture.withMap.get()
        guard let original = fixture.originals[.agent] else { throw SalvageFixtureError() }
        let folder = try TemporaryFolder("valise-salvage")
        let location = try fixture.place([.agent: original.bytes], in: folder)
        let wrong = try SecretBytes(copying: Array(("x'" + String(repeating: "11", count: 32) + "'").utf8))
        #expect {
            try AccountSalvage().run(location, to: folder.appending("saved"), passphrase: wrong)
        } throws: { ($0 as? MaintenanceError)?.code == .wrongPassphrase }
        #expect(try FileSystem().list(folder.path).compactMap(\.name) == ["damaged"])
    }

    @Test func `a previous copy beside the database lends its salt, where the database's own is gone`() throws
    {
        let folder = try TemporaryFolder("valise-salvage")
        let location = AccountLocation(directory: folder.appending("account"))
        let key = try SecretBytes(copying: Array("not a raw key".utf8))
        try AccountCreation().create(location, passphrase: key)
        let fileSystem = FileSystem()
        let path = location.path(of: .chat)
        try fileSystem.copy(path, to: path.appendingSuffix(".bak"))
        var bytes = try fileSystem.contents(of: path, limit: 1 << 28)
        for index in 0..<16 { bytes[index] = 0 }
        try fileSystem.replace(path, with: bytes)
        let report = try AccountSalvage().run(location, to: folder.appending("saved"), passphrase: key)
        #expect(report.databases.map(\.state) == [.salvaged, .salvaged])
        #expect(report.isComplete)
        let saved = AccountLocation(directory: folder.appending("saved"))
        #expect(throws: Never.self) {
            _ = try Connection(saved.path(of: .chat), mode: .readOnly, passphrase: key)
        }
    }

    @Test func `a damaged page of a plain database is survived, and its damage contained`() throws {
        let fixture = try SalvageFixture.plain.get()
        guard let original = fixture.originals[.chat] else { throw SalvageFixtureError() }
        let leaves = original.pages.filter { $0.value.kind == "leaf" && $0.value.name == "chat_items" }.keys
            .sorted()
        let page = leaves[leaves.count / 2]
        var bytes = original.bytes
        for index in (page - 1) * Self.pageSize..<page * Self.pageSize { bytes[index] = 0 }
        let outcome = try fixture.salvage(.chat, bytes)
        #expect(outcome.lost == fixture.expectedLoss(.chat, page: page))
        #expect(outcome.invented.isEmpty)
        // Where its own reading ended early is said, and how far it came from both ends.
        let table = try #require(outcome.report.tables.first { $0.name == "chat_items" })
        let notes = outcome.report.notes.map(\.sentence).filter { $0.hasPrefix("SQLite itself") }
        #expect(
            notes.count == 1
                && notes[0].hasPrefix("SQLite itself read only \(table.rows) rows of chat_items: ")
                && notes[0].contains("malformed"), "\(notes)")
        #expect(table.rowsFromSQLite == 0)
        var headless = original.bytes
        for index in 0..<Self.pageSize { headless[index] = 0 }
        let other = try fixture.salvage(.chat, headless)
        #expect(other.lost.isEmpty && other.invented.isEmpty)
        #expect(other.schema == original.schema)
    }

    @Test
    func
        `a crash or a failure at any operation leaves the new account whole or not there, and the old one as it was`()
        throws
    {
        let fixture = try SalvageFixture.withMap.get()
        guard let original = fixture.originals[.agent] else { throw SalvageFixtureError() }
        let key = try SecretBytes(copying: fixture.passphrase)
        var number = 1
        var isPassed = false
        while !isPassed {
            for fault in FaultSweep.turn(of: [FaultPlan.Fault.crash, .fail(.noSpace)], at: number) {
                let folder = try TemporaryFolder("valise-salvage")
                let location = try fixture.place([.agent: original.bytes], in: folder)
                let target = folder.appending("saved")
                let plan = FaultPlan(fault, at: number)
                let result = Result {
                    try AccountSalvage(fileSystem: FileSystem(interposer: plan))
                        .run(location, to: target, passphrase: key)
                }
                isPassed = !plan.wasReached
                if isPassed { _ = try result.get() }
                #expect(
                    try FileSystem().contents(of: location.path(of: .agent), limit: 1 << 28) == original.bytes
                )
                if try FileSystem().exists(target) {
                    let saved = AccountLocation(directory: target).path(of: .agent)
                    let connection = try Connection(saved, mode: .readOnly, passphrase: key)
                    #expect(try SalvageFixture.dump(connection) == original.rows)
                } else {
                    // What was left does not stand in the way of the next run.
                    _ = try AccountSalvage().run(location, to: target, passphrase: key)
                    #expect(try !FileSystem().exists(folder.appending("saved.partial")))
                }
            }
            number += 1
        }
        #expect(number > 8)
    }

    @Test func `a salt with one changed bit is found again, where that is asked for`() throws {
        let fixture = try SalvageFixture.withMap.get()
        guard let original = fixture.originals[.agent] else { throw SalvageFixtureError() }
        var bytes = original.bytes
        bytes[9] ^= 16
        var options = SalvageOptions()
        options.repairsSalt = true
        let outcome = try fixture.salvage(.agent, bytes, options: options)
        #expect(outcome.lost.isEmpty && outcome.report.isComplete)
        #expect(outcome.report.notes.contains { $0.sentence.contains("one bit") })
    }

    @Test func `rows that refer to lost ones are kept and told, or left out where that is asked for`() throws
    {
        let fixture = try SalvageFixture.withMap.get()
        guard let original = fixture.originals[.chat] else { throw SalvageFixtureError() }
        let leaves = original.pages.filter { $0.value.kind == "leaf" && $0.value.name == "chat_items" }.keys
            .sorted()
        var bytes = original.bytes
        bytes[(leaves[1] - 1) * Self.pageSize + 50] ^= 1
        let kept = try fixture.salvage(.chat, bytes)
        #expect(
            !kept.report.brokenReferences.isEmpty && kept.report.brokenReferences.allSatisfy { !$0.dropped })
        #expect(kept.brokenReferences > 0)
        var options = SalvageOptions()
        options.dropsOrphans = true
        let dropped = try fixture.salvage(.chat, bytes, options: options)
        #expect(dropped.report.brokenReferences.allSatisfy { $0.dropped })
        #expect(dropped.brokenReferences == 0)
    }

    @Test func `a folder with something in it is no place for the new account`() throws {
        let fixture = try SalvageFixture.withMap.get()
        guard let original = fixture.originals[.agent] else { throw SalvageFixtureError() }
        let folder = try TemporaryFolder("valise-salvage")
        let location = try fixture.place([.agent: original.bytes], in: folder)
        let key = try SecretBytes(copying: fixture.passphrase)
        for name in ["saved", "saved.partial"] {
            let occupied = folder.appending(name)
            try FileSystem().makeDirectory(occupied)
            _ = try FileSystem().create(occupied.appending("mine"))
            #expect {
                try AccountSalvage().run(location, to: folder.appending("saved"), passphrase: key)
            } throws: { ($0 as? AccountError)?.code == .alreadyExists }
            #expect(try FileSystem().list(occupied).compactMap(\.name) == ["mine"])
            try FileSystem().removeTree(occupied)
        }
    }

    @Test func `whatever a plain database is changed to, salvage ends with a sound one or a clear failure`()
        throws
    {
        let seed = Self.environment("VALISE_SEED").flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64.max)
        let rounds = Self.environment("VALISE_SOAK") == nil ? 12 : 200
        print("mutations: VALISE_SEED=\(seed), \(rounds) rounds")
        var generator = SeededGenerator(seed: seed)
        let fixture = try SalvageFixture.plain.get()
        for round in FaultSweep.few(of: 0..<rounds) {
            let database: AccountDatabase = round % 2 == 0 ? .chat : .agent
            guard let original = fixture.originals[database] else { throw SalvageFixtureError() }
            var bytes = original.bytes
            for _ in 0..<(1 << Int.random(in: 0...9, using: &generator)) {
                let page = Int.random(in: 0..<bytes.count / Self.pageSize, using: &generator)
                // Half of them hit what the tree is made of: kinds, counts, pointers, children.
                let offset = Int.random(
                    in: 0..<(Bool.random(using: &generator) ? 32 : 4096), using: &generator)
                bytes[page * Self.pageSize + offset] = UInt8.random(in: 0...255, using: &generator)
            }
            do {
                _ = try fixture.salvage(database, bytes)
            } catch let error as any Failure {
                #expect(!error.message.isEmpty)
            }
        }
    }

    @Test func `a hot journal is folded in first`() throws {
        let fixture = try SalvageFixture.withMap.get()
        guard let original = fixture.originals[.chat] else { throw SalvageFixtureError() }
        let folder = try TemporaryFolder("valise-salvage")
        let running = try fixture.place([.chat: original.bytes], in: folder)
        let key = try SecretBytes(copying: fixture.passphrase)
        let torn = AccountLocation(directory: folder.appending("torn"))
        try FileSystem().makeDirectory(torn.directory)
        do {
            let connection = try Connection(running.path(of: .chat), mode: .readWrite, passphrase: key)
            try connection.execute(
                "PRAGMA cache_size = 1; BEGIN; UPDATE messages SET msg_body = hex(randomblob(3000))")
            for suffix in ["", "-journal"] {
                try FileSystem().copy(
                    running.path(of: .chat).appendingSuffix(suffix),
                    to: torn.path(of: .chat).appendingSuffix(suffix))
            }
        }
        #expect(try FileSystem().contents(of: torn.path(of: .chat), limit: 1 << 28) != original.bytes)
        let target = folder.appending("saved")
        let report = try AccountSalvage().run(torn, to: target, passphrase: key)
        #expect(report.databases[0].isComplete)
        let connection = try Connection(
            AccountLocation(directory: target).path(of: .chat), mode: .readOnly, passphrase: key)
        #expect(try SalvageFixture.dump(connection) == original.rows)
        let files = try FileSystem().list(target).compactMap(\.name)
        #expect(files.filter { $0.contains("folded") }.isEmpty)
    }

    /// A database that is not of a known make: nothing but itself and other accounts know its schema.
    private func foreignDatabase(_ path: FilePath, _ key: borrowing SecretBytes, rows: Int) throws {
        let connection = try Connection(path, mode: .create, passphrase: key)
        for number in 0..<40 {
            try connection.execute(
                """
                CREATE TABLE things_\(number) (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, name_\(number) TEXT NOT NULL, \(String(repeating: "x", count: 300)) BLOB
                );
                WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
                INSERT INTO things_\(number) (name_\(number)) SELECT 'thing \(number) ' || i FROM n
                """)
        }
    }

    @Test
    func `where part of an unknown schema is lost, every row is still found, and another account helps`()
        throws
    {
        let folder = try TemporaryFolder("valise-salvage")
        let key = try SecretBytes(copying: SalvageFixture.rawKey)
        let (damaged, other) = (
            AccountLocation(directory: folder.appending("damaged")),
            AccountLocation(directory: folder.appending("other"))
        )
        for location in [damaged, other] { try FileSystem().makeDirectory(location.directory) }
        try foreignDatabase(damaged.path(of: .chat), key, rows: 30)
        try foreignDatabase(other.path(of: .chat), key, rows: 2)
        var leaf: Int64 = 0
        do {
            let connection = try Connection(damaged.path(of: .chat), mode: .readOnly, passphrase: key)
            let sql =
                "SELECT pageno FROM dbstat WHERE name = 'sqlite_schema' AND pagetype = 'leaf' LIMIT 1 OFFSET 2"
            leaf = try connection.value(sql)?.integer ?? 0
        }
        #expect(leaf > 1)
        var bytes = try FileSystem().contents(of: damaged.path(of: .chat), limit: 1 << 28)
        for index in Int(leaf - 1) * Self.pageSize..<Int(leaf) * Self.pageSize { bytes[index] ^= 0x55 }
        try FileSystem().replace(damaged.path(of: .chat), with: bytes)

        let alone = try AccountSalvage().run(damaged, to: folder.appending("alone"), passphrase: key)
        let saved = alone.databases[0].tables.reduce(0) { $0 + $1.rows }
        #expect(saved < 1200 && saved + alone.databases[0].lostAndFoundRows == 1200)
        #expect(!alone.isComplete && alone.databases[0].lostAndFoundFile != nil)
        #expect(
            try FileSystem().exists(folder.appending("alone").appending("simplex_v1_chat_lost_and_found.db")))

        var options = SalvageOptions()
        options.schemaFrom = other
        let helped = try AccountSalvage().run(
            damaged, to: folder.appending("helped"), passphrase: key, options: options)
        #expect(helped.databases[0].tables.count == 40)
        #expect(helped.databases[0].tables.allSatisfy { $0.rows == 30 })
        #expect(helped.databases[0].isComplete)
    }

    @Test func `with --use-damaged most rows of a page with one flipped bit come back`() throws {
        let fixture = try SalvageFixture.withMap.get()
        guard let original = fixture.originals[.chat] else { throw SalvageFixtureError() }
        let leaves = original.pages.filter {
            $0.value.kind == "leaf" && $0.value.name == "messages" && $0.value.cells > 5
        }
        .keys.sorted()
        let page = leaves[leaves.count / 2]
        var bytes = original.bytes
        bytes[(page - 1) * Self.pageSize + 3000] ^= 4
        var options = SalvageOptions()
        options.usesDamagedPages = true
        let outcome = try fixture.salvage(.chat, bytes, options: options)
        let all = fixture.expectedLoss(.chat, page: page)["messages"] ?? 0
        #expect(outcome.lostCount <= 2 && all > 5)
        let table = outcome.report.tables.first { $0.name == "messages" }
        #expect((table?.rowsFromDamagedPages ?? 0) >= all - 2)
    }

    @Test func `lost messages are named with their chat and dates, from the indexes that still know them`()
        throws
    {
        let fixture = try SalvageFixture.withMap.get()
        guard let original = fixture.originals[.chat] else { throw SalvageFixtureError() }
        let leaves = original.pages.filter { $0.value.kind == "leaf" && $0.value.name == "chat_items" }.keys
            .sorted()
        let page = leaves[leaves.count / 2]
        var bytes = original.bytes
        bytes[(page - 1) * Self.pageSize + 50] ^= 1
        let outcome = try fixture.salvage(.chat, bytes)
        let lost = outcome.lost["chat_items"] ?? 0
        #expect(lost > 0)
        #expect(outcome.report.tables.first { $0.name == "chat_items" }?.missingRows == lost)
        #expect(outcome.report.lostMessages.reduce(0) { $0 + $1.count } == lost)
        #expect(outcome.report.lostMessages.allSatisfy { $0.first != nil })
        let all = original.rows["chat_items"]?.values.reduce(0, +) ?? 0
        #expect(outcome.report.messageLoss == ["lost: \(lost) of \(all) messages"])
        #expect(outcome.report.lostPages.map(\.content) == ["table chat_items"])
    }
}
