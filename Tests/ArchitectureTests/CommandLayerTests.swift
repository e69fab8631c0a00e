import Testing

/// The command layer parses options, calls one operation, and renders: the rest belongs to the library `Valise`.
struct CommandLayerTests {
    /// What parsing, rendering and the terminal need besides the front door.
    private static let allowed: Set<String> = [
        "Valise", "ValiseTerminal", "ArgumentParser", "SystemPackage", "ValiseEncoding", "CValisePlatform",
        "Synchronization", "Glibc", "Darwin",
    ]
    /// Files that use something else: the log of a relay. None is added.
    private static let exceptions: Set<String> = ["RelayStart.swift"]
    /// On average, of a command or group of commands.
    private static let mostLines = 116

    private static func files() throws -> [SourceTree.File] { try SourceTree.files(in: "Sources/5-Commands") }

    @Test func `a command imports the front door and what rendering needs`() throws {
        var found: Set<String> = []
        for file in try Self.files() {
            let modules = file.text.matches(of: #/(?m)^\s*(?:public |package )?import (\w+)/#).map {
                String($0.1)
            }
            if !Set(modules).isSubset(of: Self.allowed) { found.insert(file.name) }
        }
        #expect(found.subtracting(Self.exceptions).isEmpty, "uses a part of the library by itself")
        #expect(Self.exceptions.subtracting(found).isEmpty, "is no exception any more")
    }

    @Test func `the command layer grows by thin commands only`() throws {
        let lines = try Self.files().reduce(0) { $0 + $1.lines.count - 1 }
        let commands = try Self.files().reduce(0) {
            $0 + $1.code.matches(of: #/CommandConfiguration\(/#).count
        }
        #expect(commands >= 75)
        // Those that read messages came later, and have a number of their own.
        let chats = try Self.files().filter { $0.path.contains("/Chat/") }.reduce(0) {
            $0 + $1.lines.count - 1
        }
        // So did those of backups.
        let backups = try Self.files().filter { $0.path.contains("/Backup/") }.reduce(0) {
            $0 + $1.lines.count - 1
        }
        // And the one that composes messages.
        let composing = try Self.files().filter { $0.path.contains("/Compose/") }.reduce(0) {
            $0 + $1.lines.count - 1
        }
        // And those of stores and mounts.
        let stores = try Self.files().filter { $0.path.contains("/Store/") || $0.path.contains("/Mount/") }
            .reduce(0) { $0 + $1.lines.count - 1 }
        // And those of Session.
        let sessions = try Self.files().filter { $0.path.contains("/Session/") }.reduce(0) {
            $0 + $1.lines.count - 1
        }
        // And those of relays, since one is for many.
        let relays = try Self.files().filter { $0.path.contains("/Relay/") }.reduce(0) {
            $0 + $1.lines.count - 1
        }
        #expect(lines - chats - backups - composing - stores - sessions - relays <= 8_700)
        #expect(relays <= 1_500)
        #expect(sessions <= 780)
        #expect(stores <= 1_050)
        #expect(composing <= 260)
        #expect(chats <= 925)
        #expect(backups <= 2_200)
        #expect(lines <= commands * Self.mostLines)
    }

    @Test func `a command reaches no files but through operations`() throws {
        for file in try Self.files() {
            #expect(file.code.firstMatch(of: #/\bFileSystem\(/#) == nil, "\(file.name)")
        }
    }

    @Test func `one place runs operations, and none is run around it`() throws {
        for file in try Self.files() where file.name != "OperationRunning.swift" {
            #expect(!file.text.contains("Task.detached"), "\(file.name)")
            #expect(!file.code.contains("AsynchronousWork<Value>.run("), "\(file.name)")
        }
    }

    /// Files with more than one operation, each with its reason. None is added.
    private static let operations: [String: Set<String>] = [
        // Two commands of one noun, or four, each of which runs one.
        "JobsCancel.swift": ["CancelJobs", "ReleaseJobs"],
        "JobsList.swift": ["ListOperations", "ShowJob"],
        "MigrateRollback.swift": ["ConfirmMigration", "RollBackMigration"],
        "RelayControlCommands.swift": ["OperateRelay", "RenewRelay"],
        // One of the two, by an option.
        "ChatSearch.swift": ["RemoveSearchIndex", "SearchConversations"],
        "InterruptedUploadOptions.swift": ["DiscardUploads", "ListOperations"],
        "KeySheet.swift": ["DrawRecoverySheet", "VerifyRecoverySheet"],
        // With --later the job is only marked; its record, which the plan gives, is what is resumed.
        "JobsResume.swift": ["ReleaseJobs", "ResumeJob", "ResumeOperation"],
        // Which account it is, is found first: the plan, the questions and what is printed once it is sent need it.
        "MoveSend.swift": ["FindSentAccount", "SendAccount"],
    ]

    @Test func `a file runs one operation at most`() throws {
        let names = Set(try OperationRuleTests.operations().map(\.name))
        #expect(names.count > 45)
        var found: [String: Set<String>] = [:]
        for file in try Self.files() {
            let used = file.code.matches(of: #/\b([A-Z]\w+)\(/#).map { String($0.1) }
            let operations = names.intersection(used)
            if operations.count > 1 { found[file.name] = operations }
        }
        #expect(found == Self.operations)
    }
}
