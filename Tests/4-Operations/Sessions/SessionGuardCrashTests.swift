import FaultInjection
import SessionBuilders
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFailures

@testable import Valise

/// What a crash or a full disk leaves at each file operation of taking and restoring a guard.
struct SessionGuardCrashTests {
    private static let faults: [FaultPlan.Fault] = [
        .crash, .fail(.noSpace), .fail(.ioError), .shortWrite, .tornWrite,
    ]

    /// Runs something with each fault at its operations.
    private func sweep(
        hasLinks: Bool = true, _ run: (FileSystem) async throws -> Void, before: () throws -> Void,
        after: (_ isDone: Bool, _ position: Int) async throws -> Void
    ) async throws {
        func fileSystem(_ plan: FaultPlan) -> FileSystem {
            FileSystem(interposer: hasLinks ? plan : WithoutLinks(other: plan))
        }
        let counter = FaultPlan(.none)
        try before()
        try await run(fileSystem(counter))
        try await after(true, 0)
        #expect(counter.count > 10)
        for position in 1...counter.count {
            for fault in FaultSweep.turn(of: Self.faults, at: position) {
                try before()
                var isDone = true
                do {
                    try await run(fileSystem(FaultPlan(fault, at: position)))
                } catch {
                    isDone = false
                }
                try await after(isDone, position)
            }
        }
    }

    @Test(arguments: [false, true])
    func `a guard is there and proved, or not there`(isPhone: Bool) async throws {
        let store = try GuardedProfile(isPhone: isPhone)
        let content = try store.contents()
        try await sweep {
            _ = try await store.taking($0).run(in: store.context())
        } before: {
            for name in try store.names() where name.contains("-guard-") {
                try FileSystem().removeTree(store.folder.appending(name))
            }
        } after: { isDone, position in
            #expect(try store.contents() == content, "\(position)")
            if try FileSystem().exists(store.guardPath) {
                var list = ListSessionGuards(store.path)
                list.verifies = true
                #expect(try await list.run(in: store.context()).guards.map(\.state) == [.intact])
                return
            }
            #expect(!isDone, "\(position)")
            // The next run removes what is left.
            try await store.take()
            #expect(
                try store.names() == ["Session", store.guardPath.lastComponent?.string ?? ""], "\(position)")
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `a restore leaves the previous or the guarded state, and the next run says which`(
        isPhone: Bool, hasLog: Bool
    ) async throws {
        let store = try GuardedProfile(isPhone: isPhone)
        let guarded = try store.contents()
        try await store.take()
        if hasLog {
            try store.crashMigrating()
        } else {
            try store.migrateBadly(store.connect())
        }
        let broken = try store.contents()
        let copy = store.folder.appending("state")
        try TemporaryFolder.copyTree(store.path, to: copy)
        try await sweep {
            _ = try await store.restoring($0).run(in: store.context())
        } before: {
            for name in try store.names() where name != store.guardPath.lastComponent?.string {
                try FileSystem().removeTree(store.folder.appending(name))
            }
            try TemporaryFolder.copyTree(copy, to: store.path)
        } after: { isDone, position in
            if isDone { #expect(try store.contents() == guarded, "\(position)") }
            // Whatever it left, the next run ends with one of the two.
            let recovery = try GuardedStore.recover(store.path, FileSystem(), in: store.context())
            let contents = try store.contents()
            switch recovery {
            case .before?: #expect(contents == broken, "\(position)")
            case .after?: #expect(contents == guarded, "\(position)")
            case nil: #expect(contents == broken || contents == guarded, "\(position)")
            }
            let isGuarded = contents == guarded
            let kept = try store.names().filter { $0.contains("-before-restore-") }
            #expect(kept.count == (isGuarded ? 1 : 0), "\(position): \(kept)")
            #expect(try !store.names().contains { $0.hasPrefix(".") }, "\(position)")
            if isGuarded { #expect(try await store.messages() == Int64(GuardedProfile.story.messages.count)) }
            let again = try await store.restoring().run(in: store.context())
            #expect(try store.contents() == guarded, "\(position)")
            #expect((again.kept == nil) == isGuarded, "\(position)")
        }
    }

    @Test(arguments: [false, true])
    func `a guard with a log, and a program that is started while there is no database`(
        hasLinks: Bool
    ) async throws {
        let store = try GuardedProfile()
        try await store.takeWithLog()
        let guarded = try store.contentsOfGuard()
        try store.crashMigrating()
        let broken = try store.contents()
        let copy = store.folder.appending("state")
        try TemporaryFolder.copyTree(store.path, to: copy)
        try await sweep(hasLinks: hasLinks) {
            _ = try await store.restoring($0).run(in: store.context())
        } before: {
            for name in try store.names() where name != store.guardPath.lastComponent?.string {
                try FileSystem().removeTree(store.folder.appending(name))
            }
            try TemporaryFolder.copyTree(copy, to: store.path)
        } after: { _, position in
            let isMissing = try !FileSystem().exists(store.database)
            if isMissing { _ = try DesktopBuilder().open(store.path, Story(seed: 1, messages: 3)) }
            try GuardedStore.recover(store.path, FileSystem(), in: store.context())
            let contents = try store.contents()
            let isGuarded = guarded.allSatisfy { contents[$0.key] == $0.value }
            #expect(isGuarded || contents == broken, "\(position), \(isMissing)")
            guard isGuarded, let kept = try store.names().first(where: { $0.contains("-before-restore-") })
            else { return }
            let previous = try TemporaryFolder.contents(of: store.folder.appending(kept))
            for file in ["sql/db.sqlite", "sql/db.sqlite-wal"] {
                #expect(previous[file] == broken[file], "\(position), \(isMissing): \(file)")
            }
        }
    }

    @Test func `a recovery that is interrupted too ends with one of the two`() async throws {
        let store = try GuardedProfile()
        let guarded = try store.contents()
        try await store.take()
        try store.crashMigrating()
        let broken = try store.contents()
        let copy = store.folder.appending("state")
        try TemporaryFolder.copyTree(store.path, to: copy)
        for first in stride(from: FaultSweep.first(step: 2), through: 60, by: FaultSweep.step(2)) {
            for second in stride(from: 1, through: 20, by: FaultSweep.step(1)) {
                for name in try store.names() where name != store.guardPath.lastComponent?.string {
                    try FileSystem().removeTree(store.folder.appending(name))
                }
                try TemporaryFolder.copyTree(copy, to: store.path)
                let crashing = FileSystem(interposer: FaultPlan(.crash, at: first))
                _ = try? await store.restoring(crashing).run(in: store.context())
                let crashingAgain = FileSystem(interposer: FaultPlan(.crash, at: second))
                _ = try? GuardedStore.recover(store.path, crashingAgain, in: store.context())
                try GuardedStore.recover(store.path, FileSystem(), in: store.context())
                let contents = try store.contents()
                #expect(contents == broken || contents == guarded, "\(first), \(second)")
                #expect(try !store.names().contains { $0.hasPrefix(".") }, "\(first), \(second)")
            }
        }
    }

    @Test func `what the program wrote after a decision is not replaced`() async throws {
        let store = try GuardedProfile()
        try await store.take()
        try store.migrateBadly(store.connect())
        // The journal is there, and nothing was moved yet.
        let stopped = FileSystem(
            interposer: QuickerProcess { operation in
                if case .create(let path) = operation, path.string.contains("-before-restore-") {
                    throw Errno.ioError
                }
                if case .makeDirectory(let path) = operation, path.string.contains("-before-restore-") {
                    throw Errno.ioError
                }
            })
        let error = await #expect(throws: OperationError.self) {
            try await store.restoring(stopped).run(in: store.context())
        }
        #expect(error?.message.contains("decided, but not complete") == true)
        try store.connect().execute("CREATE TABLE later (a)")
        let before = try store.contents()
        try GuardedStore.recover(store.path, FileSystem(), in: store.context())
        #expect(try store.contents() == before)
        #expect(store.noted.last?.hasPrefix("rolled back an interrupted restore") == true)
    }

    @Test func `a database that a program made while there was none is kept`() async throws {
        let store = try GuardedProfile()
        let guarded = try store.contents()
        try await store.take()
        try store.crashMigrating()
        // Killed when the previous database and its log are away.
        let stopped = FileSystem(
            interposer: QuickerProcess { operation in
                if case .rename(let path, _) = operation, path.string.contains("/new/") {
                    throw Errno.ioError
                }
            })
        _ = try? await store.restoring(stopped).run(in: store.context())
        #expect(try !FileSystem().exists(store.database))
        let missing = #expect(throws: OperationError.self) { try SessionPlace.require(store.path) }
        #expect(missing?.message.contains("interrupted") == true)
        _ = try DesktopBuilder().open(store.path, Story(seed: 1, messages: 3))
        try GuardedStore.recover(store.path, FileSystem(), in: store.context())
        #expect(try store.contents() == guarded)
        let kept = try TemporaryFolder.contents(of: store.kept)
        #expect(kept["later-1/sql/db.sqlite"] != nil && kept["sql/db.sqlite-wal"] != nil)
    }
}

/// A file system that has no hard links: these names are only given to files that have another one.
private struct WithoutLinks: FileInterposer {
    let other: FaultPlan

    func verdict(on operation: FileOperation) -> FileOperationVerdict {
        guard case .create(let path) = operation,
            path.string.contains("-before-restore-") || path.string.contains("/Session/")
        else { return other.verdict(on: operation) }
        return .fail(.notPermitted)
    }
}
