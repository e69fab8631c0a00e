import FaultInjection
import Foundation
import Synchronization
import SystemPackage
import TestPeers
import Testing
import ValiseFailures
import ValiseRepository
import ValiseSecrets
import ValiseStorage

import class ValiseRepository.Repository

@testable import Valise

/// Repositories and their passwords.
struct RepositoryKeyTests {
    private let folder: TemporaryFolder
    private let folders: ValiseFolders

    private static let first = "correct horse battery staple 8237"
    private static let second = "many quiet lanterns under 5521 water"

    init() throws {
        folder = try TemporaryFolder("valise-repositories", inMemory: true)
        folders = ValiseFolders(data: folder.appending("data"), state: folder.appending("state"))
    }

    private var context: OperationContext { OperationContext(folders: folders) }
    private var place: RepositoryPlace {
        get throws { try RepositoryPlace(folder.appending("repository").string) }
    }
    private var store: FolderStore { FolderStore(folder.appending("repository")) }

    private func secret(_ text: String) throws -> SharedSecret {
        SharedSecret(try SecretBytes(copying: Array(text.utf8)))
    }

    private func input(_ password: String = first) throws -> RepositoryInput {
        RepositoryInput(try place, password: .secret(try secret(password)))
    }

    private func initialize(_ password: String = first) throws -> InitializeRepository {
        let password = try secret(password)
        return InitializeRepository(at: try place) { password }
    }

    private func change(from: String, to: String) throws -> ChangeRepositoryPassword {
        let new = try secret(to)
        return ChangeRepositoryPassword(of: try input(from)) { new }
    }

    private func add(_ password: String, with current: String = first) throws -> AddRepositoryKey {
        let new = try secret(password)
        return AddRepositoryKey(to: try input(current)) { new }
    }

    private func opens(_ password: String) throws -> Bool {
        do {
            _ = try Repository.open(store, password: secret(password).bytes)
            return true
        } catch let error as RepositoryError where error.kind == .wrongPassword {
            return false
        }
    }

    // MARK: Making one

    @Test func `a repository is made after a plan that makes nothing, and not over another one`() async throws
    {
        let plan = try await initialize().plan(in: context)
        #expect(plan.changes.count == 1 && plan.changes[0].hasPrefix("create a repository in /"))
        #expect(try !FileSystem().exists(folder.appending("repository")))
        let made = try await initialize().run(in: context)
        #expect(try opens(Self.first))
        let opened = try Repository.open(store, password: secret(Self.first).bytes)
        #expect(made.repository == opened.config.id.text && made.key == opened.keyID.text)
        #expect(made.version == 2 && made.sheet == nil)
        #expect(try RepositoryMemories(folders).all().map(\.place) == [try place.absoluteText])
        let asked = Mutex(false)
        let again = InitializeRepository(at: try place) {
            asked.withLock { $0 = true }
            return try secret(Self.second)
        }
        for attempt in [{ _ = try await again.plan(in: context) }, { _ = try await again.run(in: context) }] {
            let error = await #expect(throws: RepositoryError.self) { try await attempt() }
            #expect(error?.kind == .exists)
        }
        #expect(asked.withLock { !$0 })
        #expect(try opens(Self.first) && !opens(Self.second))
    }

    @Test func `version 1 is made where it is wanted`() async throws {
        var operation = try initialize()
        operation.version = 1
        #expect(try await operation.run(in: context).version == 1)
        #expect(try Repository.open(store, password: secret(Self.first).bytes).config.version == 1)
    }

    @Test(arguments: ["", "secret", "two\nlines of many words 8237", " begins with space 8237 lantern"])
    func `a password that is weak or hard to give is refused, and nothing is made`(password: String)
        async throws
    {
        let error = await #expect(throws: OperationError.self) {
            try await initialize(password).run(in: context)
        }
        #expect(error?.code == .invalid && error?.need == .strongPassphrase)
        #expect(try !FileSystem().exists(folder.appending("repository")))
        var operation = try initialize(password)
        operation.allowsWeak = true
        guard !password.isEmpty else {
            await #expect(throws: OperationError.self) { try await operation.run(in: context) }
            return
        }
        _ = try await operation.run(in: context)
        #expect(try opens(password))
    }

    @Test func `a sheet has the password, and one that cannot be written is refused before`() async throws {
        var operation = try initialize()
        operation.sheet = RepositorySheet(to: folder.appending("sheet.svg"), as: .svg, date: "2026-01-01")
        #expect(try await operation.plan(in: context).files.created == [folder.appending("sheet.svg")])
        let made = try await operation.run(in: context)
        #expect(made.sheet?.hasCode == true && made.sheet?.pages == 1)
        let text = try FileSystem().contents(of: folder.appending("sheet.svg"), limit: 1 << 24)
        let sheet = String(decoding: text, as: UTF8.self)
        #expect(sheet.contains("The password of a backup repository") && sheet.contains(made.repository))
        #expect(!sheet.contains("both databases"))
        var other = InitializeRepository(at: try RepositoryPlace(folder.appending("other").string)) {
            try secret(Self.first)
        }
        other.sheet = operation.sheet
        let error = await #expect(throws: OperationError.self) { try await other.run(in: context) }
        #expect(error?.code == .alreadyExists)
        #expect(try !FileSystem().exists(folder.appending("other")))
    }

    // MARK: Keys

    @Test func `a password is added, listed and removed`() async throws {
        let made = try await initialize().run(in: context)
        #expect(try await add(Self.second).plan(in: context).changes.count == 1)
        #expect(try store.list(.keys).count == 1)
        var adding = try add(Self.second)
        adding.hostname = "desk"
        let added = try await adding.run(in: context)
        #expect(added.keys == 2 && added.repository == made.repository)
        #expect(try opens(Self.first) && opens(Self.second))
        let list = try await ListRepositoryKeys(of: input(Self.second)).run(in: context)
        #expect(list.keys.map(\.id).sorted() == [made.key, added.key].sorted())
        #expect(list.keys.first(where: \.isCurrent)?.id == added.key)
        #expect(list.keys.first(where: \.isCurrent)?.hostname == "desk" && list.failures.isEmpty)
        let again = await #expect(throws: RepositoryError.self) {
            try await add(Self.second).run(in: context)
        }
        #expect(again?.kind == .exists)
        let removal = RemoveRepositoryKey(String(added.key.prefix(10)), from: try input())
        #expect(try await removal.plan(in: context).changes[0].contains(added.key.prefix(8)))
        #expect(try opens(Self.second))
        #expect(try await removal.run(in: context).keys == 1)
        #expect(try opens(Self.first) && !opens(Self.second))
        #expect(try store.list(.locks).isEmpty)
    }

    @Test func `the key of the given password is never removed, and neither is an unknown one`() async throws
    {
        let made = try await initialize().run(in: context)
        for (id, code) in [(made.key, FailureCode.invalid), ("", .notFound), ("zz", .notFound)] {
            let removal = RemoveRepositoryKey(id, from: try input())
            let planned = await #expect(throws: RepositoryError.self) { try await removal.plan(in: context) }
            let error = await #expect(throws: RepositoryError.self) { try await removal.run(in: context) }
            #expect(planned?.code == code && error?.code == code)
        }
        #expect(try opens(Self.first))
    }

    @Test func `a damaged key is named, and the others are listed`() async throws {
        let made = try await initialize().run(in: context)
        let broken = Array("{}".utf8)
        let id = try ContentID(hashing: broken)
        try store.put(.file(.keys, id), broken)
        let list = try await ListRepositoryKeys(of: input()).run(in: context)
        #expect(list.keys.map(\.id) == [made.key] && list.failures.map(\.id) == [id.text])
        #expect(list.hasEntryErrors)
    }

    // MARK: Changing

    @Test func `a changed password opens the repository, and the previous one does not`() async throws {
        let made = try await initialize().run(in: context)
        #expect(try await change(from: Self.first, to: Self.second).plan(in: context).changes.count == 2)
        #expect(try store.list(.keys).count == 1)
        let changed = try await change(from: Self.first, to: Self.second).run(in: context)
        #expect(changed.changed && changed.removedKey == made.key)
        #expect(try !opens(Self.first) && opens(Self.second))
        #expect(try RepositoryMemories(folders).all().allSatisfy { $0.passwordChange == nil })
        let same = try await change(from: Self.second, to: Self.second).run(in: context)
        #expect(!same.changed && same.key == changed.key)
        #expect(try store.list(.keys).count == 1)
    }

    @Test func `what a killed change has left is told by the next run, which completes it`() async throws {
        for completesWithNew in [false, true] {
            try? FileSystem().removeTree(folder.appending("repository"))
            let made = try await initialize().run(in: context)
            // Killed between both steps.
            let opened = try Repository.open(store, password: secret(Self.first).bytes)
            let new = try opened.addPassword(
                secret(Self.second).bytes, ScryptParameters(n: 16, r: 1, p: 1))
            try RepositoryMemories(folders).update(opened.config.id, at: place) {
                $0.passwordChange = .init(previous: made.key, new: new.text)
            }
            let notes = Mutex<[String]>([])
            let context = OperationContext(folders: folders) { event in
                if case .note(let note) = event { notes.withLock { $0.append(note.text) } }
            }
            let current = completesWithNew ? Self.second : Self.first
            let changed = try await change(from: current, to: Self.second).run(in: context)
            #expect(changed.changed && changed.key == new.text && changed.removedKey == made.key)
            #expect(notes.withLock { $0 }.contains { $0.contains("both the previous and the new password") })
            #expect(try !opens(Self.first) && opens(Self.second))
        }
    }

    @Test func `a wrong password is told apart from one that a killed run changed`() async throws {
        let made = try await initialize().run(in: context)
        let repository = try #require(ContentID(text: made.repository))
        func message(_ change: RepositoryMemory.PasswordChange?) async throws -> String? {
            try RepositoryMemories(folders).update(repository, at: place) { $0.passwordChange = change }
            let error = await #expect(throws: RepositoryError.self) {
                try await ListRepositoryKeys(of: input(Self.second)).run(in: context)
            }
            #expect(error?.kind == .wrongPassword)
            return error?.message
        }
        let gone = String(repeating: "0", count: 64)
        #expect(try await message(nil) == "wrong password")
        #expect(
            try await message(.init(previous: made.key, new: gone))?.contains("only the previous") == true)
        #expect(try await message(.init(previous: gone, new: made.key))?.contains("only the new") == true)
    }
}
