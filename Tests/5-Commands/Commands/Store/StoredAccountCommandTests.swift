import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFiles

/// Accounts and archives in a store, in the place of paths: `store://STORE::PATH`.
struct StoredAccountCommandTests {
    private let world: StoreWorld
    private let key: String
    private var account: String { world.path("account").string }

    init() throws {
        world = try StoreWorld()
        key = "--passphrase-file=\(world.path("passphrase"))"
        try FileSystem().replace(world.path("passphrase"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.sample(at: world.path("account").string, "--messages", "60")
    }

    private func name(_ path: String) -> String { "store://\(world.store)::\(path)" }

    @Test func `an archive in a store is read, listed, verified, compared and imported`() throws {
        let archive = world.path("a.zip").string
        #expect(try world.valise("archive", "export", account, archive, key).status == 0)
        #expect(try world.valise("store", "put", world.store, archive, "backups/a.zip").status == 0)
        let stored = name("backups/a.zip")
        let chats = try world.valise("chat", "list", stored, key)
        let own = try world.valise("chat", "list", account, key)
        #expect(chats.status == 0 && chats.output == own.output, "\(chats.errors)")
        let checked = try world.valise("account", "check", stored, key)
        #expect(checked.status == 0 || checked.status == 3, "\(checked.errors)")
        let listed = try world.valise("archive", "list", stored)
        #expect(listed.status == 0 && listed.output.contains("simplex_v1_chat.db"), "\(listed.errors)")
        #expect(try world.valise("archive", "verify", stored, key).status != 13)
        let diff = try world.valise("archive", "diff", stored, account, key, "--exit-code")
        #expect(diff.status == 0, "\(diff.output)\(diff.errors)")
        let copy = world.path("copy").string
        let imported = try world.valise("archive", "import", stored, copy, key)
        #expect(imported.status == 0, "\(imported.errors)")
        #expect(try world.valise("archive", "diff", copy, account, key, "--exit-code").status == 0)
        #expect(try leftovers().isEmpty)
        #expect(try world.valise("chat", "list", name("none.zip"), key).status == 10)
        #expect(try world.valise("chat", "list", "store://\(world.store)", key).status == 64)
    }

    @Test func `the folder of an account in a store is read, encrypted with a key of the environment`() throws
    {
        let storeKey = try world.makeKey("store-key")
        let pushed = try world.valise(
            "store", "push", world.store, world.path("account").string, "--key-file", storeKey)
        #expect(pushed.status == 0, "\(pushed.errors)")
        let stored = name("")
        let denied = try world.valise("chat", "list", stored, key)
        #expect(denied.status == 12, "\(denied.errors)")
        let chats = try world.run(["chat", "list", stored, key], ["VALISE_STORE_KEY_FILE": storeKey])
        let own = try world.valise("chat", "list", account, key)
        #expect(chats.status == 0 && chats.output == own.output, "\(chats.errors)")
        #expect(try leftovers().isEmpty)
    }

    /// Private folders that no program holds any more.
    private func leftovers() throws -> [FilePath] {
        let mark = "valise-private-\(ProcessIdentity.user)-"
        return try [world.path("tmp"), "/dev/shm"].filter { try FileSystem().isDirectory($0) }.flatMap {
            place in
            try FileSystem().list(place).compactMap(\.name).filter { $0.hasPrefix(mark) }
                .map { place.appending($0) }
        }.filter { folder in
            // One of another test is locked, or gone by now.
            do { return try DirectoryLock(folder, .exclusive) != nil } catch { return false }
        }
    }
}
