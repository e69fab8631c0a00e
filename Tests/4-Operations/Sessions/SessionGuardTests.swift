import FaultInjection
import SessionBuilders
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFailures

@testable import Valise

/// Guards of stores of Session.
struct SessionGuardTests {
    private static let count = Int64(GuardedProfile.story.messages.count)

    /// Expects a failure of a kind.
    private func fails(
        with code: FailureCode, _ body: () async throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        var found: FailureCode?
        do {
            try await body()
        } catch {
            found = (error as? any Failure)?.code ?? .failed
        }
        #expect(found == code, sourceLocation: sourceLocation)
    }

    @Test(arguments: [false, true])
    func `after a migration that failed, a guard brings back every byte`(isPhone: Bool) async throws {
        let store = try GuardedProfile(isPhone: isPhone)
        let before = try store.contents()
        let taken = try await store.take()
        #expect(taken.path == store.guardPath.string && taken.content.messages == Self.count)
        #expect(taken.hasKey == !isPhone && taken.attachments.files > 0)
        #expect(try store.contents() == before)
        try store.crashMigrating()
        #expect(try store.contents() != before)
        await #expect(throws: (any Error).self) { try await store.messages() }
        let restored = try await store.restoring().run(in: store.context())
        #expect(try store.contents() == before)
        #expect(restored.content == taken.content && restored.kept == store.kept.string)
        #expect(restored.missingAttachments == 0)
        #expect(try await store.messages() == Self.count)
        #expect(try store.names() == [store.path, store.guardPath, store.kept].names)
    }

    @Test func `what was replaced is kept with its log`() async throws {
        let store = try GuardedProfile()
        try await store.take()
        try store.crashMigrating()
        let broken = try store.contents()
        _ = try await store.restoring().run(in: store.context())
        let kept = try TemporaryFolder.contents(of: store.kept)
        for name in ["config.json", "sql/db.sqlite", "sql/db.sqlite-wal"] {
            #expect(kept[name] == broken[name], "\(name)")
        }
    }

    @Test func `files and folders of a guard are for their owner alone`() async throws {
        let store = try GuardedProfile(isPhone: true)
        try await store.take()
        try store.crashMigrating()
        _ = try await store.restoring().run(in: store.context())
        func check(_ folder: FilePath) throws {
            #expect(try FileSystem().attributes(of: folder)?.permissions == .ownerReadWriteExecute)
            for entry in try FileSystem().list(folder) {
                let path = folder.appending(try #require(entry.name))
                if entry.kind == .directory {
                    try check(path)
                } else {
                    #expect(try FileSystem().attributes(of: path)?.permissions == .ownerReadWrite, "\(path)")
                }
            }
        }
        try check(store.guardPath)
        try check(store.kept.appending("database").removingLastComponent())
    }

    @Test func `a guard is taken while the program writes, with what it committed`() async throws {
        let store = try GuardedProfile()
        let connection = try store.connect()
        try connection.execute("UPDATE messages SET body = 'in the log'")
        try connection.execute("BEGIN IMMEDIATE")
        try connection.execute("DELETE FROM messages")
        let taken = try await store.take()
        #expect(taken.content.messages == Self.count)
        let files = try TemporaryFolder.contents(of: store.guardPath)
        #expect(files["sql/db.sqlite-wal"] != nil && files["sql/db.sqlite-shm"] == nil)
        try connection.execute("ROLLBACK")
    }

    @Test func `a store that a program has open is not restored`() async throws {
        let store = try GuardedProfile()
        try await store.take()
        let before = try store.contents()
        // As SQLite does while a program has a write-ahead log open; a lock of this kind is not lost when the file is read.
        let file = try FileSystem().openForReading(store.database)
        #expect(try file.lockRange(.shared, start: 0x4000_0002, length: 510))
        await fails(with: .inUse) { _ = try await store.restoring().plan(in: store.context()) }
        await fails(with: .inUse) { _ = try await store.restoring().run(in: store.context()) }
        #expect(try store.contents() == before)
        #expect(try store.names() == [store.path, store.guardPath].names)
        try await store.take()
        extendLifetime(file)
    }

    @Test func `without consent nothing changes, and a plan tells what would`() async throws {
        let store = try GuardedProfile()
        let planned = try await store.taking().plan(in: store.context())
        #expect(planned.created == [store.guardPath] && planned.bytesToProcess > 0)
        #expect(try store.names() == ["Session"])
        try await store.take()
        try store.crashMigrating()
        let before = try TemporaryFolder.contents(of: store.folder.path)
        let plan = try await store.restoring().plan(in: store.context())
        #expect(plan.content.messages == Self.count && !plan.isInPlace)
        await fails(with: .invalid) { _ = try await store.restoring().run(in: store.context(nil)) }
        await fails(with: .failed) { _ = try await store.restoring().run(in: store.context(false)) }
        let removal = RemoveSessionGuard(store.guardPath)
        await fails(with: .invalid) { _ = try await removal.run(in: store.context(nil)) }
        #expect(try TemporaryFolder.contents(of: store.folder.path) == before)
    }

    @Test func `what is in place already is not replaced`() async throws {
        let store = try GuardedProfile()
        try await store.take()
        let restored = try await store.restoring().run(in: store.context(nil))
        #expect(restored.kept == nil && restored.content.messages == Self.count)
        #expect(try store.names() == [store.path, store.guardPath].names)
    }

    @Test(arguments: ["sql/db.sqlite", "config.json", "guard.json"])
    func `a damaged guard is refused, and nothing changes`(name: String) async throws {
        let store = try GuardedProfile()
        try await store.take()
        try store.crashMigrating()
        let path = store.guardPath.pushing(FilePath(name))
        var bytes = try FileSystem().contents(of: path, limit: 1 << 28)
        bytes[bytes.count / 2] ^= 1
        try TestFiles.write(bytes, to: path)
        let before = try TemporaryFolder.contents(of: store.folder.path)
        await fails(with: .damaged) { _ = try await store.restoring().run(in: store.context()) }
        #expect(try TemporaryFolder.contents(of: store.folder.path) == before)
        var list = ListSessionGuards(store.path)
        list.verifies = true
        let listed = try await list.run(in: store.context())
        #expect(listed.guards.map(\.state) == [.damaged] && !listed.isIntact)
        // It can be removed all the same.
        _ = try await RemoveSessionGuard(store.guardPath).run(in: store.context())
        #expect(try store.names() == ["Session"])
    }

    @Test func `a guard with a log that was put there is refused`() async throws {
        let store = try GuardedProfile()
        try await store.take()
        try TestFiles.write([1], to: store.guardPath.appending("sql/db.sqlite-wal"))
        await fails(with: .damaged) { _ = try await store.restoring().run(in: store.context()) }
    }

    @Test func `a record does not lead out of the guard`() async throws {
        let store = try GuardedProfile()
        try await store.take()
        let path = store.guardPath.appending("guard.json")
        let text = String(decoding: try FileSystem().contents(of: path, limit: 1 << 20), as: UTF8.self)
        for other in ["../config.json", "/etc/passwd", "sql/other"] {
            try TestFiles.write(text.replacing("config.json", with: other), to: path)
            await fails(with: .damaged) { _ = try await store.restoring().run(in: store.context()) }
        }
        try TestFiles.write(text.replacing("\"version\":1}", with: "\"version\":2}"), to: path)
        await fails(with: .newer) { _ = try await store.restoring().run(in: store.context()) }
    }

    @Test func `a wrong key leaves nothing, and a right one is not stored`() async throws {
        let store = try GuardedProfile(isPhone: true)
        let key = PhoneBuilder.key
        try TestFiles.write(Array(key.reversed()), to: store.folder.appending("key"))
        await fails(with: .wrongPassphrase) { try await store.take() }
        #expect(try store.names() == ["Session"])
        try TestFiles.write(key, to: store.folder.appending("key"))
        try await store.take()
        #expect(
            try TemporaryFolder.contents(of: store.guardPath).keys.sorted() == [
                "database/", "database/Session.sqlite", "guard.json",
            ])
        try store.crashMigrating()
        let before = try store.contents()
        try TestFiles.write(Array(key.reversed()), to: store.folder.appending("key"))
        await fails(with: .wrongPassphrase) { _ = try await store.restoring().run(in: store.context()) }
        #expect(try store.contents() == before)
    }

    @Test func `a profile with a password is guarded with its password`() async throws {
        let store = try GuardedProfile(lock: .password("a long password"))
        let password = PassphraseSource.secret(
            SharedSecret(try SecretBytes(copying: Array("a long password".utf8))))
        var operation = store.taking()
        await fails(with: .invalid) { [operation] in _ = try await operation.run(in: store.context()) }
        operation.passphrase = password
        _ = try await operation.run(in: store.context())
        var restoring = store.restoring()
        restoring.passphrase = password
        #expect(try await restoring.run(in: store.context()).content.messages == Self.count)
    }

    @Test func `a database with a damaged page is not guarded`() async throws {
        let store = try GuardedProfile()
        var bytes = try FileSystem().contents(of: store.database, limit: 1 << 28)
        bytes[bytes.count - 5000] ^= 1
        try TestFiles.write(bytes, to: store.database)
        await fails(with: .damaged) { try await store.take() }
        #expect(try store.names() == ["Session"])
    }

    @Test func `guards are listed beside a store, in a folder, and alone`() async throws {
        let store = try GuardedProfile()
        try await store.take()
        try await store.take()
        let places = [store.path, store.folder.path, store.guardPath]
        for (place, count) in zip(places, [2, 2, 1]) {
            var list = ListSessionGuards(place)
            list.clock = { GuardedProfile.time + 60 }
            list.verifies = place == store.path
            let guards = try await list.run(in: store.context()).guards
            #expect(guards.count == count && guards.allSatisfy { $0.age == 60 })
            #expect(guards.allSatisfy { $0.state == (place == store.path ? .intact : .unverified) })
            #expect(guards.first?.content?.schema.lokiSchema == 54)
        }
        let removed = try await RemoveSessionGuard(store.guardPath).run(in: store.context())
        #expect(removed.freed > 0)
        #expect(try store.names() == [store.path, store.guardPath.appendingSuffix("-2")].names)
    }

    @Test func `a folder with anything else is not removed`() async throws {
        let store = try GuardedProfile()
        try await store.take()
        try TestFiles.write("mine", to: store.guardPath.appending("sql/notes.txt"))
        let removal = RemoveSessionGuard(store.guardPath)
        await fails(with: .unsupported) { _ = try await removal.run(in: store.context()) }
        await fails(with: .notFound) { _ = try await RemoveSessionGuard(store.path).run(in: store.context()) }
    }

    @Test func `a database that was cleared comes back, and the key of a later one goes`() async throws {
        let store = try GuardedProfile()
        let before = try store.contents()
        try await store.take()
        try FileSystem().removeTree(store.path.appending("sql"))
        try TestFiles.write(
            "{\"key\": \"\(String(repeating: "ab", count: 32))\"}", to: store.path.appending("config.json"))
        let restored = try await store.restoring().run(in: store.context())
        #expect(try store.contents() == before)
        #expect(restored.kept == store.kept.string)
        #expect(try TemporaryFolder.contents(of: store.kept).keys.sorted() == ["config.json"])
    }

    @Test func `fewer attachments than before are told`() async throws {
        let store = try GuardedProfile()
        let taken = try await store.take()
        try FileSystem().removeTree(store.path.appending("attachments.noindex"))
        try store.crashMigrating()
        let restored = try await store.restoring().run(in: store.context())
        #expect(restored.missingAttachments == taken.attachments.files)
    }

    @Test func `a guard of another program is refused`() async throws {
        let (desktop, phone) = (try GuardedProfile(), try GuardedProfile(isPhone: true))
        try await desktop.take()
        var restoring = desktop.restoring()
        restoring.store = phone.path
        await fails(with: .invalid) { [restoring] in _ = try await restoring.run(in: desktop.context()) }
    }

    @Test func `a profile without a database is refused with the name of the one that has it`() async throws {
        let store = try GuardedProfile()
        try await store.take()
        let other = store.folder.appending("Session-production")
        try FileSystem().makeDirectory(other)
        let error = await #expect(throws: OperationError.self) {
            try await GuardSession(other).run(in: store.context())
        }
        #expect(error?.code == .notFound)
        #expect(error?.message == "no database of Session here, but in \(store.path.string)")
        #expect(error?.remedy == .nameFolder(store.path))
    }
}

extension [FilePath] {
    /// Of a list that begins with the store.
    fileprivate var names: Set<String> { Set(compactMap { $0.lastComponent?.string }) }
}
