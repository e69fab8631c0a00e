import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValiseMoves
import ValiseSecrets

struct RetirementTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()
    private let location: AccountLocation
    private var retirement: AccountRetirement { AccountRetirement(location) }

    private static let mark = RetiredMark(
        moved: "2026-11-22T12:34:56Z", words: "acorn alarm", tool: "valise 0")

    init() throws {
        folder = try TemporaryFolder("valise-retired", inMemory: true)
        location = AccountLocation(directory: folder.appending("account"))
        try reset()
    }

    /// An account of files that are no databases; a journal without content lies beside one.
    private func reset() throws {
        try fileSystem.removeTree(location.directory)
        try fileSystem.makeDirectories(location.filesFolder)
        try fileSystem.makeDirectories(location.wallpapersFolder)
        try fileSystem.replace(location.filesFolder.appending("picture"), with: Array("media".utf8))
        for database in AccountDatabase.allCases {
            try fileSystem.replace(location.path(of: database), with: Array(database.rawValue.utf8))
        }
        try fileSystem.replace(location.path(of: .chat).appendingSuffix("-journal"), with: [])
    }

    private func contents() throws -> [String: [UInt8]?] {
        try TemporaryFolder.contents(of: location.directory)
    }

    private func isIntact() throws -> Bool {
        try AccountDatabase.allCases.allSatisfy { database in
            let path = location.path(of: database)
            return try fileSystem.exists(path)
                && fileSystem.contents(of: path, limit: 100) == Array(database.rawValue.utf8)
        }
    }

    private func isRetired() throws -> Bool { try RetiredMark.isThere(location, fileSystem: fileSystem) }

    // MARK: Away and back

    @Test func `a retired account has no database of a name that is looked for`() throws {
        let before = try contents()
        try retirement.retire(Self.mark)
        let names = try fileSystem.list(location.directory).compactMap(\.name)
        #expect(
            names == [
                "simplex_v1.valise-moved", "simplex_v1_agent.db.moved", "simplex_v1_assets",
                "simplex_v1_chat.db.moved", "simplex_v1_chat.db.moved-journal", "simplex_v1_files",
            ])
        #expect(try RetiredMark.read(location, fileSystem: fileSystem) == Self.mark)
        #expect(
            try fileSystem.contents(of: location.retiredPath(of: .agent), limit: 100) == Array("agent".utf8))
        try retirement.retire(RetiredMark(moved: nil, words: nil, tool: nil))
        #expect(try RetiredMark.read(location, fileSystem: fileSystem) == Self.mark, "the first mark stays")
        #expect(try !retirement.complete())
        try retirement.undo()
        let isSame = try contents() == before
        #expect(isSame)
    }

    @Test(arguments: ["", "{", "[1]", #"{"moved":7}"#, "\u{0}"])
    func `a mark counts whatever it holds`(_ text: String) throws {
        try fileSystem.replace(location.retiredMarkPath, with: Array(text.utf8))
        #expect(try RetiredMark.read(location, fileSystem: fileSystem)?.moved == nil)
        #expect(throws: AccountError.self) { _ = try AccountWriter(location, fileSystem: fileSystem) }
        #expect(try retirement.complete())
        #expect(try !isIntact())
    }

    @Test func `every operation on a retired account is refused, with the day and the way out`() throws {
        try retirement.retire(Self.mark)
        let before = try contents()
        let key = try SecretBytes(copying: Array("secret".utf8))
        let archive = folder.appending("a.zip")
        let donor = AccountLocation(directory: folder.appending("donor"))
        try AccountCreation().create(donor, passphrase: key)
        _ = try ArchiveExport(.init()).export(donor, to: archive)
        let found = try AccountLocation.find(location.directory)
        #expect(found == location)
        let operations: [(String, () throws -> Void)] = [
            ("open", { _ = try AccountWriter(location, fileSystem: fileSystem) }),
            ("recover", { _ = try AccountWriter(location, toChange: false, fileSystem: fileSystem) }),
            ("read", { _ = try AccountReader(location, fileSystem: fileSystem) }),
            ("lock", { _ = try AccountLock(location, .shared, fileSystem: fileSystem) }),
            ("create", { try AccountCreation().create(location, passphrase: key) }),
            ("import", { _ = try ArchiveImport(.init(replacesAccount: true)).import(archive, to: location) }),
            ("plan", { _ = try ArchiveImport(.init()).plan(archive, to: location) }),
            ("export", { _ = try ArchiveExport(.init()).export(location, to: folder.appending("b.zip")) }),
            ("prove", { _ = try AccountProof.make(location, passphrase: key) }),
        ]
        for (name, operation) in operations {
            do {
                try operation()
                Issue.record("\(name) was done")
            } catch let error as AccountError {
                let isTold = error.code == .unsupported && error.message.contains("on 2026-11-22")
                #expect(isTold, "\(name): \(error)")
                #expect(error.remedy == .removeOrRestoreRetired(Remedy.Account(location)), "\(name)")
            }
            let isSame = try contents() == before
            #expect(isSame, "\(name)")
        }
        let status = try AccountInspection().status(location, passphrase: nil)
        #expect(status.retired == Self.mark && !status.isWorkPending)
        #expect(try AccountPaths.isOccupied(location.directory))
    }

    @Test func `an account with a journal is not retired`() throws {
        for suffix in ["-journal", "-wal"] {
            try reset()
            try fileSystem.replace(location.path(of: .agent).appendingSuffix(suffix), with: [1])
            #expect(DeviceMigrationError.kind(of: { try retirement.retire(Self.mark) }) == .failed)
            #expect(try isIntact() && !isRetired())
        }
    }

    @Test func `what has a name that is needed is not replaced`() throws {
        try fileSystem.replace(location.retiredPath(of: .chat), with: [1])
        #expect(DeviceMigrationError.kind(of: { try retirement.retire(Self.mark) }) == .nameTaken)
        #expect(try isIntact() && !isRetired())
        try fileSystem.remove(location.retiredPath(of: .chat))
        try retirement.retire(Self.mark)
        // An app was started and made a database.
        try fileSystem.replace(location.path(of: .chat), with: [2])
        #expect(DeviceMigrationError.kind(of: { try retirement.undo() }) == .nameTaken)
        #expect(try retirement.complete() == false)
        #expect(try fileSystem.contents(of: location.path(of: .chat), limit: 9) == [2])
        #expect(try fileSystem.contents(of: location.retiredPath(of: .chat), limit: 9) == Array("chat".utf8))
    }

    @Test func `a database that is missing is told, and nothing is changed`() throws {
        try retirement.retire(Self.mark)
        try fileSystem.remove(location.retiredPath(of: .agent))
        #expect(DeviceMigrationError.kind(of: { try retirement.undo() }) == .damaged)
        #expect(try isRetired() && fileSystem.exists(location.retiredPath(of: .chat)))
    }

    @Test func `what is not retired is neither brought back nor removed`() throws {
        for operation in [{ try retirement.undo() }, { _ = try retirement.remove() }] {
            #expect(DeviceMigrationError.kind(of: operation) == .notRetired)
        }
        #expect(try isIntact() && !retirement.complete())
    }

    @Test func `what belongs to a retired account is not written over`() throws {
        try retirement.retire(Self.mark)
        for path in [location.retiredMarkPath, location.retiredPath(of: .chat), location.path(of: .chat)] {
            #expect(throws: AccountError.self) { try AccountPaths.refuse(path, for: "the archive") }
        }
    }

    // MARK: Removal

    @Test func `removal leaves nothing of the account, and nothing else goes`() throws {
        try fileSystem.replace(location.directory.appending("other.txt"), with: [1])
        try fileSystem.replace(location.path(of: .chat).appendingSuffix(".bak"), with: [1])
        try retirement.retire(Self.mark)
        #expect(try retirement.remove())
        #expect(try fileSystem.list(location.directory).compactMap(\.name) == ["other.txt"])
    }

    @Test func `media stay where a program has begun another account`() throws {
        try retirement.retire(Self.mark)
        try fileSystem.replace(location.path(of: .chat), with: [2])
        #expect(try !retirement.remove())
        let names = try fileSystem.list(location.directory).compactMap(\.name)
        #expect(names == ["simplex_v1_assets", "simplex_v1_chat.db", "simplex_v1_files"])
        #expect(try fileSystem.exists(location.filesFolder.appending("picture")))
    }

    // MARK: Interruptions

    /// Runs an operation until it is through, dying at each operation in turn, and looks at what each run left.
    private func dieEverywhere(
        _ faults: [FaultPlan.Fault], before: () throws -> Void,
        _ operation: (AccountRetirement) throws -> Void,
        after look: (Int) throws -> Void
    ) throws {
        for fault in faults {
            var position = 1
            while true {
                try reset()
                try before()
                let plan = FaultPlan(fault, at: position)
                let isDone: Void? = try? operation(
                    AccountRetirement(location, fileSystem: FileSystem(interposer: plan)))
                guard plan.wasReached else {
                    #expect(isDone != nil && position > 3)
                    break
                }
                try look(position)
                position += 1
            }
        }
    }

    private static let faults: [FaultPlan.Fault] = [.crash, .tornWrite, .fail(.ioError), .fail(.noSpace)]

    @Test func `a retirement that dies leaves a whole account or a retired one, and the next completes it`()
        throws
    {
        try dieEverywhere(Self.faults) {
        } _: {
            try $0.retire(Self.mark)
        } after: { position in
            if try isRetired() {
                #expect(throws: AccountError.self) { _ = try AccountWriter(location, fileSystem: fileSystem) }
                #expect(throws: AccountError.self) {
                    _ = try AccountReader(location, fileSystem: fileSystem)
                }
                // The agent's is never in place without the chat's.
                let agent = try fileSystem.exists(location.path(of: .agent))
                #expect(try !agent || fileSystem.exists(location.path(of: .chat)), "\(position)")
                try retirement.complete()
            } else {
                #expect(try isIntact(), "\(position)")
                _ = try AccountWriter(location, fileSystem: fileSystem)
                try retirement.retire(Self.mark)
            }
            #expect(try fileSystem.list(location.directory).count == 6)
            #expect(try !retirement.complete())
            try retirement.undo()
            #expect(try isIntact() && !isRetired(), "\(position)")
        }
    }

    @Test func `a return that dies leaves a retired account or the whole one, and the next completes it`()
        throws
    {
        for isCompleted in [false, true] {
            try dieEverywhere(Self.faults) {
                try retirement.retire(Self.mark)
            } _: {
                try $0.undo()
            } after: { position in
                if try isRetired() {
                    #expect(throws: AccountError.self) {
                        _ = try AccountWriter(location, fileSystem: fileSystem)
                    }
                    if isCompleted { try retirement.complete() }
                    try retirement.undo()
                }
                #expect(try isIntact() && !isRetired(), "\(position)")
                _ = try AccountWriter(location, fileSystem: fileSystem)
            }
        }
    }

    @Test func `a removal that dies leaves a retired account, and the next completes it`() throws {
        try dieEverywhere(Self.faults) {
            try retirement.retire(Self.mark)
        } _: {
            _ = try $0.remove()
        } after: { position in
            if try isRetired() { _ = try retirement.remove() }
            #expect(try fileSystem.list(location.directory).isEmpty, "\(position)")
        }
    }
}
