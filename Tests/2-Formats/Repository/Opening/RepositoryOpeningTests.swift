import FaultInjection
import Synchronization
import Testing
import ValiseFailures
import ValiseRepository
import ValiseStorage

import class ValiseRepository.Repository

/// Repositories are made, opened and indexed, also where others are quicker.
struct RepositoryOpeningTests {
    private typealias Fixture = RepositoryFixture

    private func failure(_ body: () throws -> Void) -> RepositoryError? {
        do {
            try body()
            return nil
        } catch {
            return error as? RepositoryError
        }
    }

    @Test(arguments: [1, 2]) func `what was made is opened with its password only`(version: Int) throws {
        let store = MemoryStore()
        let made = try Fixture.create(store, version: version)
        let opened = try Repository.open(store, password: Fixture.secret())
        #expect(opened.config == made.config)
        #expect(opened.config.version == version)
        #expect(opened.keyID == made.keyID)
        let error = failure { _ = try Repository.open(store, password: Fixture.secret("wrong")) }
        #expect(error?.kind == .wrongPassword)
        #expect(failure { _ = try Fixture.create(store) }?.kind == .exists)
        #expect(
            failure { _ = try Repository.open(MemoryStore(), password: Fixture.secret()) }?.kind == .missing)
    }

    @Test func `a repository has several passwords`() throws {
        let store = MemoryStore()
        let repository = try Fixture.create(store)
        let second = try repository.addPassword(Fixture.secret("two"), Fixture.quick())
        let opened = try Repository.open(store, password: Fixture.secret("two"), hint: second)
        #expect(opened.keyID == second)
        #expect(failure { try opened.removePassword(second) }?.kind == .invalid)
        try opened.removePassword(repository.keyID)
        #expect(
            failure { _ = try Repository.open(store, password: Fixture.secret()) }?.kind == .wrongPassword)
        _ = try Repository.open(store, password: Fixture.secret("two"))
    }

    @Test func `a damaged key file hides neither the other one nor a wrong password`() throws {
        let store = MemoryStore()
        let repository = try Fixture.create(store)
        let broken = Array("{}".utf8)
        let brokenID = try ContentID(hashing: broken)
        try store.put(.file(.keys, brokenID), broken)
        #expect(try Repository.open(store, password: Fixture.secret()).keyID == repository.keyID)
        let wrong = failure { _ = try Repository.open(store, password: Fixture.secret("wrong")) }
        #expect(wrong?.kind == .wrongPassword)
        #expect(wrong?.cause != nil)
        try store.remove(.file(.keys, repository.keyID))
        let error = failure { _ = try Repository.open(store, password: Fixture.secret()) }
        #expect(error?.kind == .damaged)
        #expect(error?.subject == StoredName.file(.keys, brokenID).description)
        try store.remove(.file(.keys, brokenID))
        #expect(failure { _ = try Repository.open(store, password: Fixture.secret()) }?.kind == .damaged)
    }

    @Test func `a key file that is removed meanwhile is passed over`() throws {
        let store = MemoryStore()
        let repository = try Fixture.create(store)
        let second = try repository.addPassword(Fixture.secret("two"), Fixture.quick())
        let racing = InterceptedStore(store) { call in
            if call == .get(.file(.keys, second)) { try store.remove(.file(.keys, second)) }
        }
        let opened = try Repository.open(racing, password: Fixture.secret(), hint: second)
        #expect(opened.keyID == repository.keyID)
    }

    @Test func `of two that make one at the same moment, one succeeds`() throws {
        let store = MemoryStore()
        let hasRaced = Mutex(false)
        let racing = InterceptedStore(store) { call in
            guard call == .put(.config) else { return }
            let isFirst = hasRaced.withLock { hasRaced in
                defer { hasRaced = true }
                return !hasRaced
            }
            if isFirst { _ = try Fixture.create(store) }
        }
        #expect(failure { _ = try Fixture.create(racing) }?.kind == .exists)
        _ = try Fixture.open(store)
        #expect(try store.list(.keys).count == 1)
    }

    @Test func `what was left by one that was killed is removed, snapshots are not`() throws {
        let store = MemoryStore()
        let killed = InterceptedStore(store) { call in
            if call == .put(.config) { throw StorageError(.unreachable, .failed, "killed") }
        }
        #expect(throws: StorageError.self) { try Fixture.create(killed) }
        #expect(try store.list(.keys).count == 1)
        _ = try Fixture.create(store)
        #expect(try store.list(.keys).count == 1)
        var random = SeededGenerator(seed: 81)
        let stored = try StoredRepository.sample(&random)
        try stored.store.remove(.config)
        let before = stored.store.files
        #expect(failure { _ = try Fixture.create(stored.store) }?.kind == .damaged)
        #expect(stored.store.files == before)
    }

    // MARK: Index

    @Test func `an index that a prune replaces meanwhile is read again`() throws {
        var random = SeededGenerator(seed: 82)
        var stored = try StoredRepository.sample(&random)
        try stored.forget(stored.order[0])
        let store = stored.store
        let hasRaced = Mutex(false)
        let racing = InterceptedStore(store) { call in
            guard case .get(.file(.index, _)) = call else { return }
            // All readers wait for it.
            try hasRaced.withLock { hasRaced in
                guard !hasRaced else { return }
                hasRaced = true
                var rules = PruneRules()
                rules.tolerated = .bytes(0)
                _ = try Fixture.locked(store) { try PrunePlan.make(for: $0, rules).run(under: $1) }
            }
        }
        let repository = try Fixture.open(racing)
        for (id, files) in stored.snapshots {
            #expect(try Fixture.restore(id, from: repository) == files)
        }
    }

    @Test func `a second load forgets what is gone`() throws {
        var random = SeededGenerator(seed: 83)
        var stored = try StoredRepository.sample(&random)
        let repository = try Fixture.open(stored.store)
        let count = repository.blobCount
        try repository.loadIndex(damaged: { throw $0 })
        #expect(repository.blobCount == count)
        for id in stored.order { try stored.forget(id) }
        _ = try Fixture.locked(stored.store) { try PrunePlan.make(for: $0).run(under: $1) }
        try repository.loadIndex(damaged: { throw $0 })
        #expect(repository.blobCount == 0)
    }

    @Test func `damaged index files and snapshots are reported, the others used`() throws {
        var random = SeededGenerator(seed: 84)
        let stored = try StoredRepository.sample(&random)
        let index = try #require(try stored.names(.index).first)
        let snapshot = stored.order[1]
        try stored.damage(.file(.index, index)) { $0[40] ^= 1 }
        try stored.damage(.file(.snapshots, snapshot)) { $0[40] ^= 1 }
        let repository = try Repository.open(stored.store, password: Fixture.secret())
        var subjects: [String?] = []
        try repository.loadIndex(damaged: { subjects.append(($0 as? RepositoryError)?.subject) })
        let found = try repository.snapshots { subjects.append(($0 as? RepositoryError)?.subject) }
        #expect(
            subjects == [
                StoredName.file(.index, index).description,
                StoredName.file(.snapshots, snapshot).description,
            ])
        #expect(found.map(\.id) == [stored.order[0], stored.order[2]])
    }
}
