import FaultInjection
import Synchronization
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFailures
import ValiseFiles

/// Operations that keep the account they replace, and operations that mark what they make as only to be read.
struct PreviousAccountTests {
    private let account: ChangedAccount
    private let fileSystem = FileSystem()
    private var location: AccountLocation { account.location }
    private var kept: FilePath { location.directory.appending("former") }

    init() throws {
        account = try ChangedAccount()
    }

    private func reset(withSideFiles: Bool) throws {
        try account.reset(withSideFiles: withSideFiles)
        let files = location.filesFolder
        for name in ["kept.jpg", "both.jpg"] {
            try fileSystem.replace(files.appending(name), with: ChangedAccount.old)
        }
        try fileSystem.makeDirectory(files.appending("inner"))
        try fileSystem.replace(files.appending("inner").appending("deep"), with: ChangedAccount.old)
        try fileSystem.makeDirectories(location.wallpapersFolder)
        try fileSystem.replace(location.wallpapersFolder.appending("wall"), with: ChangedAccount.old)
    }

    private func replace(_ fileSystem: FileSystem, marks: Bool = false) throws {
        let writer = try account.open(fileSystem)
        let previous = try PreviousAccount(of: location, as: "former", fileSystem: fileSystem)
        let change = try writer.change("test")
        if marks { try change.marks(ReadOnlyMark(archive: "a.zip", archiveSize: 7, imported: nil)) }
        _ = try change.keeps(previous)
        let files = try change.stageFolder("files", mergingInto: location.filesName)
        try fileSystem.replace(files.appending("both.jpg"), with: ChangedAccount.new)
        for database in AccountDatabase.allCases {
            try fileSystem.replace(change.stagedPath(of: database), with: ChangedAccount.new)
            change.replaces(database)
        }
        try change.commit()
    }

    @Test(arguments: [false, true], [false, true])
    func `failed at any operation, the previous account is kept if and only if the new one is there`(
        withSideFiles: Bool, marks: Bool
    ) throws {
        try reset(withSideFiles: withSideFiles)
        let before = try TemporaryFolder.contents(of: location.directory)
        var seen: Set<Bool> = []
        var position = 1
        var reached = true
        while reached {
            for fault in FaultSweep.turn(of: [FaultPlan.Fault.crash, .fail(.noSpace)], at: position) {
                try reset(withSideFiles: withSideFiles)
                let plan = FaultPlan(fault, at: position)
                let result = Result { try replace(FileSystem(interposer: plan), marks: marks) }
                reached = plan.wasReached
                _ = try AccountWriter(location, toChange: false, fileSystem: fileSystem)
                let found = try TemporaryFolder.contents(of: location.directory)
                let isNew = try account.databases() == [ChangedAccount.new, ChangedAccount.new]
                if isNew {
                    let inner = try TemporaryFolder.contents(of: kept)
                    #expect(inner == before, "operation \(position), \(fault)")
                    let both = location.filesFolder.appending("both.jpg")
                    #expect(try account.content(of: both) == ChangedAccount.new)
                    #expect(try ReadOnlyMark.isThere(location, fileSystem: fileSystem) == marks)
                } else {
                    #expect(found == before, "operation \(position), \(fault)")
                    #expect(throws: (any Error).self) { try result.get() }
                }
                #expect(try !fileSystem.exists(account.workFolder), "operation \(position), \(fault)")
                seen.insert(isNew)
            }
            position += 1
        }
        #expect(seen == [true, false])
        #expect(position > 30)
    }

    @Test func `media of the kept account take no space`() throws {
        try reset(withSideFiles: false)
        let original = try #require(
            try fileSystem.attributes(of: location.filesFolder.appending("kept.jpg")))
        try replace(fileSystem)
        let twin = kept.appending(location.filesName).appending("kept.jpg")
        #expect(try fileSystem.attributes(of: twin)?.isSameFile(as: original) == true)
        #expect(
            try AccountLocation.find(kept) == AccountLocation(directory: kept, prefix: location.prefix))
    }

    @Test func `without hard links media are copied and databases are moved`() throws {
        try reset(withSideFiles: false)
        let before = try TemporaryFolder.contents(of: location.directory)
        try replace(FileSystem(interposer: NoHardLinks()))
        #expect(try TemporaryFolder.contents(of: kept) == before)
        #expect(try account.databases() == [ChangedAccount.new, ChangedAccount.new])
    }

    /// An app was started between the decision and its completion, and used the account.
    @Test func `what an app wrote in the middle is in the kept account too`() throws {
        try reset(withSideFiles: false)
        var position = 1
        var wasKept = false
        while !wasKept, position < 200 {
            try reset(withSideFiles: false)
            let plan = FaultPlan(.crash, at: position)
            _ = try? replace(FileSystem(interposer: plan))
            position += 1
            let journal = account.workFolder.appending("journal.json")
            // Decided, the kept folder in place, and no database yet.
            guard try fileSystem.exists(journal), try fileSystem.exists(kept),
                try account.databases() == [ChangedAccount.old, ChangedAccount.old]
            else { continue }
            try account.overwrite(location.path(of: .agent), with: ChangedAccount.later)
            let recovery = try account.open().recovery
            #expect(recovery?.keepsLaterWork == true)
            #expect(recovery?.keptPrevious == "former")
            #expect(recovery?.done.sentence.contains("is kept in its folder former") == true)
            // One copy is enough.
            #expect(try account.backup().isEmpty)
            let agent = AccountLocation(directory: kept).path(of: .agent)
            #expect(try account.content(of: agent) == ChangedAccount.later)
            #expect(try account.databases() == [ChangedAccount.new, ChangedAccount.new])
            wasKept = true
        }
        #expect(wasKept)
    }

    /// An app was started where the previous database had left, made a new one and was killed in a transaction.
    @Test(arguments: [false, true])
    func `a journal of another database never gets beside the kept one`(withSideFiles: Bool) throws {
        let chat = location.path(of: .chat)
        let name = location.prefix + AccountDatabase.chat.suffix
        var gaps = 0
        var position = 1
        var reached = true
        while reached {
            try reset(withSideFiles: withSideFiles)
            let plan = FaultPlan(.crash, at: position)
            _ = try? replace(FileSystem(interposer: NoHardLinks(plan)))
            reached = plan.wasReached
            position += 1
            let journal = account.workFolder.appending("journal.json")
            guard try fileSystem.exists(journal), try !fileSystem.exists(chat) else { continue }
            gaps += 1
            // What SQLite does with a journal without a database.
            let side = chat.appendingSuffix("-journal")
            let wasMoved = try !fileSystem.exists(side)
            if !wasMoved { try fileSystem.remove(side) }
            try fileSystem.replace(chat, with: ChangedAccount.later)
            try fileSystem.replace(side, with: Array("foreign".utf8))
            let opened = try account.open(FileSystem(interposer: NoHardLinks()))
            #expect(opened.recovery?.keptPrevious == "former")
            let found = try TemporaryFolder.contents(of: kept)
            #expect(found[name] == ChangedAccount.old, "operation \(position)")
            let own = withSideFiles && wasMoved ? ChangedAccount.old : nil
            #expect((found[name + "-journal"] ?? nil) == own, "operation \(position)")
            #expect(found[name + ".2"] == ChangedAccount.later)
            #expect(found[name + ".2-journal"] == Array("foreign".utf8))
            #expect(try account.databases() == [ChangedAccount.new, ChangedAccount.new])
            #expect(try account.backup().isEmpty)
        }
        #expect(gaps > 0)
    }

    @Test func `a name that was taken since the operation was decided costs nothing`() throws {
        var clashes = 0
        for position in 1..<200 {
            try reset(withSideFiles: false)
            let before = try TemporaryFolder.contents(of: location.directory)
            let plan = FaultPlan(.crash, at: position)
            _ = try? replace(FileSystem(interposer: plan))
            if !plan.wasReached { break }
            let journal = account.workFolder.appending("journal.json")
            guard try fileSystem.exists(journal), try !fileSystem.exists(kept) else { continue }
            clashes += 1
            try fileSystem.makeDirectories(kept.appending(location.filesName))
            try fileSystem.replace(kept.appending(location.filesName).appending("mine"), with: [1])
            let recovery = try account.open().recovery
            #expect(recovery?.keptPrevious == "former-2")
            let other = location.directory.appending("former-2")
            #expect(try TemporaryFolder.contents(of: other) == before)
            #expect(
                try TemporaryFolder.contents(of: kept).compactMapValues(\.self)
                    == ["\(location.filesName)/mine": [1]])
            #expect(try account.databases() == [ChangedAccount.new, ChangedAccount.new])
        }
        #expect(clashes > 0)
    }

    @Test func `a name that was taken while the operation was prepared is refused, and nothing is changed`()
        throws
    {
        try reset(withSideFiles: false)
        let writer = try account.open()
        let previous = try PreviousAccount(of: location, as: "former", fileSystem: fileSystem)
        try {
            let change = try writer.change("test")
            _ = try change.keeps(previous)
            try fileSystem.makeDirectory(kept)
            #expect {
                try change.commit()
            } throws: {
                ($0 as? AccountError)?.code == .alreadyExists
            }
        }()
        #expect(try !fileSystem.exists(account.workFolder))
        #expect(try fileSystem.list(kept).isEmpty)
        #expect(try account.databases() == [ChangedAccount.old, ChangedAccount.old])
    }

    @Test func `a name that is taken or belongs to the account is refused`() throws {
        try reset(withSideFiles: false)
        try fileSystem.makeDirectory(location.directory.appending("taken"))
        let cases: [(String, FailureCode)] = [
            ("taken", .alreadyExists), ("", .invalid), ("a/b", .invalid), ("..", .invalid),
            (".hidden", .invalid), ("simplex_v1_files", .invalid), ("simplex_v1_chat.db", .invalid),
            ("simplex_v1.valise-archive", .invalid), (String(repeating: "x", count: 300), .invalid),
        ]
        for (name, code) in cases {
            #expect("\(name)") {
                _ = try PreviousAccount(of: location, as: name, fileSystem: fileSystem)
            } throws: {
                ($0 as? AccountError)?.code == code
            }
        }
        let ios = AccountLocation(directory: location.directory, style: .ios)
        #expect(throws: AccountError.self) {
            try PreviousAccount(of: ios, as: "app_files", fileSystem: fileSystem)
        }
        let nobody = AccountLocation(directory: location.directory, prefix: "other")
        #expect {
            _ = try PreviousAccount(of: nobody, as: "former", fileSystem: fileSystem)
        } throws: {
            ($0 as? AccountError)?.code == .notFound
        }
    }

    @Test func `with databases from before a migration nothing is kept beside them`() throws {
        try reset(withSideFiles: false)
        try account.prepare().commit(keepsBackup: true)
        #expect {
            _ = try PreviousAccount(of: location, as: "former", fileSystem: fileSystem)
        } throws: {
            ($0 as? AccountError)?.code == .alreadyExists
        }
    }
}

/// A file system on which no file gets a second name.
private final class NoHardLinks: FileInterposer {
    private let refused = Mutex<Set<String>>([])
    private let next: (any FileInterposer)?

    init(_ next: (any FileInterposer)? = nil) { self.next = next }

    func verdict(on operation: FileOperation) -> FileOperationVerdict {
        // A link and a new file are one operation here; the second try is the copy.
        if case .create(let path) = operation, path.string.contains("/former/"),
            refused.withLock({ $0.insert(path.string).inserted })
        {
            return .fail(.notPermitted)
        }
        return next?.verdict(on: operation) ?? .proceed
    }
}
