import FaultInjection
import SessionBuilders
import SystemPackage
import Testing
import ValiseFailures

@testable import Valise

/// What the records of guards say, and lists of them.
struct SessionGuardRecordTests {
    private func text(_ path: FilePath) throws -> String {
        String(decoding: try FileSystem().contents(of: path, limit: 1 << 20), as: UTF8.self)
    }

    @Test func `a guard that opens with a password only has no key`() async throws {
        let store = try GuardedProfile(lock: .password("a long password"))
        var taking = store.taking()
        taking.passphrase = .secret(
            SharedSecret(try SecretBytes(copying: Array("a long password".utf8))))
        let taken = try await taking.run(in: store.context())
        #expect(!taken.hasKey)
        #expect(try FileSystem().exists(store.guardPath.appending("config.json")))
        #expect(try await GuardedProfile().take().hasKey)
    }

    @Test func `numbers that nothing has are refused before anything is touched`() async throws {
        let store = try GuardedProfile()
        let taken = try await store.take()
        try store.crashMigrating()
        let before = try store.contents()
        let path = store.guardPath.appending("guard.json")
        let record = try text(path)
        let (attachments, content) = (taken.attachments, taken.content)
        for (number, other) in [
            ("\"files\":\(attachments.files),", "\"files\":\(Int64.min),"),
            ("\"size\":\(attachments.size)}", "\"size\":-1}"),
            ("\"conversations\":\(content.conversations),", "\"conversations\":-1,"),
            ("\"messages\":\(content.messages),", "\"messages\":-1,"),
        ] {
            #expect(record.contains(number), "\(number)")
            try TestFiles.write(record.replacing(number, with: other), to: path)
            let error = await #expect(throws: OperationError.self) {
                try await store.restoring().run(in: store.context())
            }
            #expect(error?.code == .damaged, "\(number)")
            #expect(try store.contents() == before && store.names() == ["Session", store.guardName])
        }
    }

    @Test func `sizes whose sum is too large are listed`() async throws {
        let store = try GuardedProfile()
        try await store.take()
        let path = store.guardPath.appending("guard.json")
        var record = try text(path)
        for file in try GuardFolder(store.guardPath, FileSystem()).record.files {
            record = record.replacing("\"size\":\(file.size)}", with: "\"size\":\(Int64.max)}")
        }
        try TestFiles.write(record, to: path)
        var list = ListSessionGuards(store.path)
        list.verifies = true
        let guards = try await list.run(in: store.context()).guards
        #expect(guards.map(\.size) == [.max] && guards.map(\.state) == [.damaged])
    }

    @Test func `a guard that cannot be read does not hide the others`() async throws {
        let store = try GuardedProfile()
        try await store.take()
        try await store.take()
        let list = ListSessionGuards(store.path)
        var unreadable = list
        unreadable.verifies = true
        unreadable.fileSystem = FileSystem(
            interposer: Unreadable(path: store.guardPath.appending("sql/db.sqlite")))
        let verified = try await unreadable.run(in: store.context()).guards
        #expect(verified.map(\.state) == [.damaged, .intact])
        #expect(verified.first?.taken != nil && verified.first?.problem?.contains("cannot read") == true)
        try TestFiles.write(
            [UInt8](repeating: 0x20, count: 2 << 20), to: store.guardPath.appending("guard.json"))
        let listed = try await list.run(in: store.context()).guards
        #expect(listed.map(\.state) == [.unverified, .damaged])
        #expect(listed.last?.path == store.guardPath.string && listed.last?.problem != nil)
    }

    @Test func `the oldest guard is listed first, whatever its name is`() async throws {
        let store = try GuardedProfile()
        try await store.take()
        let renamed = store.folder.appending("Zeta-guard-1")
        try FileSystem().rename(store.guardPath, to: renamed)
        var taking = store.taking()
        taking.clock = { GuardedProfile.time + 60 }
        let later = try await taking.run(in: store.context())
        let guards = try await ListSessionGuards(store.folder.path).run(in: store.context()).guards
        #expect(guards.map(\.path) == [renamed.string, later.path])
    }
}

extension GuardedProfile {
    fileprivate var guardName: String { guardPath.lastComponent?.string ?? "" }
}

/// A file whose disk fails.
private struct Unreadable: FileInterposer {
    let path: FilePath

    func verdict(on operation: FileOperation) -> FileOperationVerdict { .proceed }

    func verdict(onReading path: FilePath, count: Int) -> FileOperationVerdict {
        path == self.path ? .fail(.ioError) : .proceed
    }
}
