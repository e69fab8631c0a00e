import FaultInjection
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles
import ValiseKeys
import ValiseSecrets

/// What every store promises, and what each one has of its own.
struct KeyStoreTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let passphrases: [[UInt8]] = [
        Array("word".utf8), [0], [0xFF, 0xFE, 0, 0x0A], Array("line\n".utf8),
        Array("e\u{301} \u{1F600}'\"".utf8),
        [UInt8](repeating: 0x61, count: 10 << 10),
    ]

    private func owner(_ name: String, _ prefix: String = "simplex_v1") throws -> KeyOwner {
        try KeyOwner(directory: folder.appending(name), prefix: prefix)
    }

    /// The kernel's keyring is one for all tests, and for whoever runs them.
    private func own(_ store: some KeyStore) throws -> [KeyOwner] {
        try store.list().filter { $0.directory.starts(with: folder.path) }
    }

    private func keepsItsPromises(_ store: some KeyStore) throws {
        try store.check()
        let (one, other) = (try owner("a"), try owner("a", "other"))
        #expect(try store.lookup(one) == nil)
        #expect(try store.forget(one) == false)
        for passphrase in Self.passphrases {
            try store.store(try SecretBytes(copying: passphrase), for: one)
            #expect(bytes(try store.lookup(one)) == passphrase)
        }
        #expect(try store.lookup(other) == nil)
        try store.store(try SecretBytes(copying: [1]), for: other)
        #expect(bytes(try store.lookup(one)) == Self.passphrases.last)
        #expect(Set(try own(store)) == [one, other])
        #expect(try store.forget(one))
        #expect(try store.lookup(one) == nil)
        #expect(bytes(try store.lookup(other)) == [1])
        #expect(try store.forget(other))
        #expect(try own(store).isEmpty)
    }

    @Test func `files keep, find and forget`() throws {
        try keepsItsPromises(FileKeyStore(folder: folder.appending("data").appending("keys")))
    }

    private static var hasKernelKeyring: Bool { (try? KernelKeyringStore().check()) != nil }

    @Test(.enabled(if: hasKernelKeyring, "this container forbids it"))
    func `the kernel's keyring keeps, finds and forgets`() throws {
        try keepsItsPromises(KernelKeyringStore())
    }

    @Test(.enabled(if: hasKernelKeyring))
    func `what does not fit into the kernel's keyring is refused, and the previous one stays`() throws {
        let store = KernelKeyringStore()
        let owner = try owner("k")
        try store.store(try SecretBytes(copying: [1]), for: owner)
        defer { _ = try? store.forget(owner) }
        let long = try SecretBytes(copying: [UInt8](repeating: 1, count: 40_000))
        let error = try #require(throws: KeyStorageError.self) { try store.store(long, for: owner) }
        #expect(error.isStoreFailure && error.kind != .unavailable)
        #expect(bytes(try store.lookup(owner)) == [1])
    }

    // MARK: Files

    @Test func `a folder or a file that others may open is refused`() throws {
        let store = FileKeyStore(folder: folder.appending("keys"))
        let owner = try owner("a")
        try store.store(try SecretBytes(copying: [1, 2]), for: owner)
        #expect(try fileSystem.attributes(of: store.folder)?.permissions == .ownerReadWriteExecute)
        let entry = try #require(try fileSystem.list(store.folder).first?.name)
        let file = store.folder.appending(entry)
        #expect(try fileSystem.attributes(of: file)?.permissions == .ownerReadWrite)

        try fileSystem.setPermissions([.ownerReadWrite, .groupRead], of: file)
        #expect(try #require(throws: KeyStorageError.self) { _ = try store.lookup(owner) }.isStoreFailure)
        try fileSystem.setPermissions(.ownerReadWrite, of: file)
        try fileSystem.setPermissions([.ownerReadWriteExecute, .otherExecute], of: store.folder)
        #expect(try #require(throws: KeyStorageError.self) { _ = try store.lookup(owner) }.code == .denied)
        #expect(throws: KeyStorageError.self) { try store.check() }
        #expect(throws: KeyStorageError.self) { try store.list() }
    }

    @Test func `a file that is none of ours, or another account's, is a failure and no key`() throws {
        let store = FileKeyStore(folder: folder.appending("keys"))
        let (one, other) = (try owner("a"), try owner("b"))
        try store.store(try SecretBytes(copying: [1, 2]), for: one)
        let name = try #require(try fileSystem.list(store.folder).first?.name)
        let whole = try fileSystem.contents(of: store.folder.appending(name), limit: 1 << 20)
        for bytes in [[], Array("valise key 2\n/x/y\nz".utf8), Array(whole.prefix(20)), [0xFF, 0x0A, 0x0A]] {
            try fileSystem.replace(store.folder.appending(name), with: bytes)
            #expect(try #require(throws: KeyStorageError.self) { _ = try store.lookup(one) }.kind == .store)
        }
        try fileSystem.replace(
            store.folder.appending(name), with: Array("valise key 1\n\(other.name)\nz".utf8))
        #expect(throws: KeyStorageError.self) { _ = try store.lookup(one) }
    }

    @Test func `each operation on files that fails leaves the previous passphrase or the new one`() throws {
        let good = FileKeyStore(folder: folder.appending("keys"))
        let owner = try owner("a")
        try good.store(try SecretBytes(copying: [1]), for: owner)
        var passed = false
        for number in 1...40 where !passed {
            let plan = FaultPlan(.fail(.noSpace), at: number)
            let store = FileKeyStore(
                folder: good.folder, fileSystem: FileSystem(interposer: plan))
            do {
                try store.store(try SecretBytes(copying: [2]), for: owner)
                passed = !plan.wasReached
            } catch let error as KeyStorageError {
                #expect(error.code == .noSpace && error.isStoreFailure)
            }
            let found = try #require(bytes(try good.lookup(owner)))
            #expect(found == [1] || found == [2])
            #expect(try fileSystem.list(good.folder).count == 1)
            if !passed { try good.store(try SecretBytes(copying: [1]), for: owner) }
        }
        #expect(passed)
    }

    // MARK: Search

    private struct Broken: KeyStore {
        let kind: KeyStorageError.Kind
        let name = "broken"
        private var failure: KeyStorageError { KeyStorageError(kind, .failed, "it is broken", name) }
        init(_ kind: KeyStorageError.Kind) { self.kind = kind }
        func check() throws { throw failure }
        func store(_: borrowing SecretBytes, for _: KeyOwner) throws { throw failure }
        func lookup(_: KeyOwner) throws -> SecretBytes? { throw failure }
        func forget(_: KeyOwner) throws -> Bool { throw failure }
        func list() throws -> [KeyOwner] { throw failure }
    }

    @Test func `a store that is not here is passed over, one that failed ends the search`() throws {
        let files = FileKeyStore(folder: folder.appending("keys"))
        let owner = try owner("a")
        try files.store(try SecretBytes(copying: [9]), for: owner)
        let search = KeySearch([Broken(.unavailable), files], toleratesAbsence: true)
        let key = bytes(try search.lookup(owner)?.take())
        #expect(key == [9])
        for kind: KeyStorageError.Kind in [.locked, .timedOut, .store] {
            #expect(throws: KeyStorageError.self) {
                _ = try KeySearch([Broken(kind), files], toleratesAbsence: true).lookup(owner)
            }
        }
        #expect(throws: KeyStorageError.self) {
            _ = try KeySearch([Broken(.unavailable), files], toleratesAbsence: false).lookup(owner)
        }
        let none = bytes(try KeySearch([files], toleratesAbsence: true).lookup(try self.owner("b"))?.take())
        #expect(none == nil)
    }
}
