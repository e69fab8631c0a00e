import FaultInjection
import SessionBuilders
import Synchronization
import SystemPackage
import Testing
import ValiseFailures
import ValiseSessionStore

@testable import Valise

/// Runs and programs that get in the way of a restore.
struct SessionGuardRecoveryTests {
    private static let count = Int64(GuardedProfile.story.messages.count)
    private static let password = "a long password"

    private static func secret() throws -> PassphraseSource {
        .secret(SharedSecret(try SecretBytes(copying: Array(password.utf8))))
    }

    /// Dies when the previous database and its log are away.
    private static var killed: FileSystem {
        FileSystem(
            interposer: QuickerProcess { operation in
                if case .rename(let path, _) = operation, path.string.contains("/new/") {
                    throw Errno.ioError
                }
            })
    }

    /// A profile with a password, of which a guard was taken before it broke.
    private func broken() async throws -> (store: GuardedProfile, guarded: [String: [UInt8]?]) {
        let store = try GuardedProfile(lock: .password(Self.password))
        let guarded = try store.contents()
        var taking = store.taking()
        taking.passphrase = try Self.secret()
        _ = try await taking.run(in: store.context())
        try TestFiles.write("broken", to: store.database)
        try TestFiles.write("a log", to: store.database.appendingSuffix("-wal"))
        return (store, guarded)
    }

    /// Types the password after another run of a restore was killed.
    private func typing(in store: GuardedProfile) -> TypedLate {
        TypedLate(Self.password) {
            var other = store.restoring(Self.killed)
            other.passphrase = try Self.secret()
            _ = try? await other.run(in: store.context())
            #expect(try !FileSystem().exists(store.database))
        }
    }

    @Test func `a restore that was killed while a password was typed is completed`() async throws {
        let (store, guarded) = try await broken()
        let restored = try await store.restoring().run(in: store.context(asking: typing(in: store)))
        #expect(try store.contents() == guarded)
        #expect(restored.kept == store.kept.string && restored.content.messages == Self.count)
        let kept = try TemporaryFolder.contents(of: store.kept)
        #expect(kept["sql/db.sqlite"] == Array("broken".utf8))
        #expect(kept["sql/db.sqlite-wal"] == Array("a log".utf8))
        #expect(store.noted.contains { $0.hasPrefix("completed an interrupted restore") })
        #expect(try !store.names().contains { $0.hasPrefix(".") })
    }

    @Test func `a guard is taken of what a restore left that was killed meanwhile`() async throws {
        let (store, guarded) = try await broken()
        let taken = try await store.taking().run(in: store.context(asking: typing(in: store)))
        #expect(taken.content.messages == Self.count && taken.path == store.guardPath.string + "-2")
        #expect(try store.contents() == guarded)
    }

    @Test func `what another restore prepared is not discarded`() async throws {
        let store = try GuardedProfile()
        try await store.take()
        try store.crashMigrating()
        _ = try? await store.restoring(Self.killed).run(in: store.context())
        let before = try TemporaryFolder.contents(of: store.folder.path)
        let swap = SessionSwap(
            folder: try FileSystem().resolve(store.path), state: .desktop, fileSystem: FileSystem())
        let error = #expect(throws: FileError.self) {
            try swap.stage(GuardFolder(store.guardPath, FileSystem())) { _ in }
        }
        #expect(error?.code == .alreadyExists)
        #expect(try TemporaryFolder.contents(of: store.folder.path) == before)
    }

    // MARK: Logs

    @Test func `a program that is started between two steps takes no log away`() async throws {
        let store = try GuardedProfile()
        let guarded = try store.contents()
        try await store.take()
        try store.crashMigrating()
        let broken = try store.contents()
        let database = store.database
        let killed = KilledAfter {
            if case .rename(let path, _) = $0 {
                path.string.hasSuffix("/Session/sql/db.sqlite")
            } else {
                false
            }
        }
        _ = try? await store.restoring(FileSystem(interposer: killed)).run(in: store.context())
        #expect(try !FileSystem().exists(database))
        _ = try DesktopBuilder().open(store.path, Story(seed: 1, messages: 3))
        try GuardedStore.recover(store.path, FileSystem(), in: store.context())
        #expect(try store.contents() == guarded)
        let kept = try TemporaryFolder.contents(of: store.kept)
        for name in ["sql/db.sqlite", "sql/db.sqlite-wal"] { #expect(kept[name] == broken[name], "\(name)") }
    }

    @Test func `neither does one on the way back`() async throws {
        let store = try GuardedProfile()
        try await store.take()
        try store.crashMigrating()
        let broken = try store.contents()
        func swap(_ fileSystem: FileSystem) throws -> SessionSwap {
            SessionSwap(
                folder: try FileSystem().resolve(store.path), state: .desktop, fileSystem: fileSystem)
        }
        let guarded = try GuardFolder(store.guardPath, FileSystem())
        try swap(FileSystem()).stage(guarded) { _ in }
        let journal = try swap(FileSystem()).decide(guarded.record, stamp: "20260131T130000Z")
        _ = try swap(FileSystem()).complete(journal)
        let killed = KilledAfter {
            if case .create(let path) = $0 {
                path.string.hasSuffix("/Session/sql/db.sqlite-wal")
            } else {
                false
            }
        }
        #expect(throws: FileError.self) { try swap(FileSystem(interposer: killed)).goBack(journal) }
        #expect(try !FileSystem().exists(store.database))
        _ = try DesktopBuilder().open(store.path, Story(seed: 1, messages: 3))
        #expect(try GuardedStore.recover(store.path, FileSystem(), in: store.context()) == .before)
        #expect(try store.contents() == broken)
        #expect(try store.names() == ["Session", store.guardPath.lastComponent?.string ?? ""])
    }

    // MARK: After the decision

    @Test func `a failure after the proof says that the database is restored`() async throws {
        let store = try GuardedProfile()
        let guarded = try store.contents()
        try await store.take()
        try store.crashMigrating()
        let failing = FileSystem(
            interposer: QuickerProcess { operation in
                if case .remove(let path) = operation, path.string.contains(".valise-restore-Session/new") {
                    throw Errno.ioError
                }
            })
        let error = await #expect(throws: OperationError.self) {
            try await store.restoring(failing).run(in: store.context())
        }
        #expect(error?.message.hasPrefix("the database is restored, but the restore is not complete") == true)
        #expect(error?.remedy == .giveCommandAgain)
        #expect(try store.contents() == guarded)
        let again = try await store.restoring().run(in: store.context())
        #expect(again.kept == store.kept.string)
        #expect(try !store.names().contains { $0.hasPrefix(".") })
    }

    @Test(arguments: [false, true])
    func `where going back fails too, both reasons are told, and the next run ends it`(
        isDecided: Bool
    ) async throws {
        let store = try GuardedProfile()
        let guarded = try store.contents()
        try await store.take()
        try store.crashMigrating()
        let failing = FileSystem(interposer: FailingProof(isGoingBackDecided: isDecided))
        let error = await #expect(throws: OperationError.self) {
            try await store.restoring(failing).run(in: store.context())
        }
        #expect(error?.message.contains("The previous database is not back yet: ") == true)
        #expect(error?.message.hasPrefix("cannot read: ") == true && error?.remedy == .giveCommandAgain)
        _ = try await store.restoring().run(in: store.context())
        #expect(try store.contents() == guarded)
        #expect(try store.names().filter { $0.contains("-before-restore-") }.count == 1)
        #expect(try !store.names().contains { $0.hasPrefix(".") })
    }
}

/// A user who types a password, and what happens until then.
private final class TypedLate: Questions {
    private let password: String
    private let action: @Sendable () async throws -> Void

    init(_ password: String, after action: @escaping @Sendable () async throws -> Void) {
        (self.password, self.action) = (password, action)
    }

    func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? {
        try await action()
        return SharedSecret(try SecretBytes(copying: Array(password.utf8)))
    }

    func answer(_ question: Question) async throws -> Bool? { true }
}

/// A process that dies after an operation.
private final class KilledAfter: FileInterposer {
    private let isDead = Mutex(false)
    private let isLast: @Sendable (FileOperation) -> Bool

    init(_ isLast: @escaping @Sendable (FileOperation) -> Bool) { self.isLast = isLast }

    func verdict(on operation: FileOperation) -> FileOperationVerdict {
        isDead.withLock { isDead in
            if isDead { return .fail(.ioError) }
            isDead = isLast(operation)
            return .proceed
        }
    }
}

/// A database that cannot be read when it is in place, and a previous one that does not come back.
private final class FailingProof: FileInterposer {
    private let isInPlace = Mutex(false)
    private let isGoingBackDecided: Bool

    init(isGoingBackDecided: Bool) { self.isGoingBackDecided = isGoingBackDecided }

    func verdict(on operation: FileOperation) -> FileOperationVerdict {
        switch operation {
        case .rename(let path, let target) where target.string.hasSuffix("/Session/sql/db.sqlite"):
            if path.string.contains("/new/") {
                isInPlace.withLock { $0 = true }
            } else {
                return .fail(.ioError)
            }
        case .create(let path) where path.string.hasSuffix("/journal.json.new"):
            if !isGoingBackDecided, isInPlace.withLock({ $0 }) { return .fail(.ioError) }
        default: break
        }
        return .proceed
    }

    func verdict(onReading path: FilePath, count: Int) -> FileOperationVerdict {
        path.string.hasSuffix("/Session/sql/db.sqlite") && isInPlace.withLock { $0 }
            ? .fail(.ioError) : .proceed
    }
}
