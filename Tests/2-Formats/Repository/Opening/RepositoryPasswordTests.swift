import Synchronization
import Testing
import ValiseFailures
import ValiseRepository
import ValiseStorage

/// A password is added and removed without a moment in which none opens the repository.
struct RepositoryPasswordTests {
    private typealias Fixture = RepositoryFixture

    private func opens(_ store: any BlobStore, _ password: String) -> Bool {
        (try? Repository.open(store, password: Fixture.secret(password))) != nil
    }

    @Test func `a key that does not open once it is stored is removed, and costs no other one`() throws {
        let store = MemoryStore()
        let made = try Fixture.create(store).keyID
        let isSpoiling = Mutex(false)
        // The file is another one when it is read again.
        let spoiling = InterceptedStore(store) { call in
            guard case .get(.file(.keys, let id)) = call, id != made, isSpoiling.withLock({ $0 }) else {
                return
            }
            throw StorageError(.unreachable, .failed, "the connection was lost")
        }
        let repository = try Repository.open(spoiling, password: Fixture.secret())
        isSpoiling.withLock { $0 = true }
        #expect(throws: StorageError.self) {
            try repository.addPassword(Fixture.secret("two"), Fixture.quick())
        }
        #expect(try store.list(.keys).map(\.id) == [made])
        #expect(opens(store, Fixture.password) && !opens(store, "two"))
    }

    @Test func `whoever opened the repository with a key that is gone removes no other one`() throws {
        let store = MemoryStore()
        let first = try Fixture.create(store)
        let second = try first.addPassword(Fixture.secret("two"), Fixture.quick())
        let opened = try Repository.open(store, password: Fixture.secret("two"), hint: second)
        // Another program is quicker.
        try first.removePassword(second)
        #expect(throws: RepositoryError.self) { try opened.removePassword(first.keyID) }
        #expect(opens(store, Fixture.password))
    }

    @Test func `a change that ends at any step leaves a password that works`() throws {
        var isComplete = false
        var steps = 0
        while !isComplete {
            let store = MemoryStore()
            let made = try Fixture.create(store)
            let left = Mutex(steps)
            let failing = InterceptedStore(store) { _ in
                try left.withLock { left in
                    if left == 0 { throw Interruption() }
                    left -= 1
                }
            }
            do {
                let repository = try Repository.open(failing, password: Fixture.secret())
                let new = try repository.addPassword(Fixture.secret("two"), Fixture.quick())
                try repository.removePassword(made.keyID, keeping: new)
                isComplete = true
            } catch is Interruption {}
            #expect(opens(store, Fixture.password) || opens(store, "two"), "\(steps)")
            #expect(!isComplete || !opens(store, Fixture.password))
            steps += 1
        }
        #expect(steps > 5)
    }

    @Test func `the key of a password is found, past damaged ones`() throws {
        let store = MemoryStore()
        let repository = try Fixture.create(store)
        let second = try repository.addPassword(Fixture.secret("two"), Fixture.quick())
        let broken = Array("{}".utf8)
        try store.put(.file(.keys, ContentID(hashing: broken)), broken)
        #expect(try repository.key(openedBy: Fixture.secret("two")) == second)
        #expect(try repository.key(openedBy: Fixture.secret()) == repository.keyID)
        #expect(try repository.key(openedBy: Fixture.secret("three")) == nil)
    }
}
