import Foundation
import SystemPackage
import Testing
import ValiseFiles

/// Keys of stores, as users have them: files, passphrases with both kinds of salts, recovery phrases.
struct StoreKeyCommandTests {
    private let world: StoreWorld
    /// Of the vectors: `kdf.json`.
    private static let passphrase = "correct horse battery staple"
    private static let salt = "000102030405060708090a0b0c0d0e0f"

    init() throws { world = try StoreWorld() }

    @Test
    func `a store of another program is read with its key, and with the passphrase that it was derived from`()
        throws
    {
        let document = try world.install("store_portable_encrypted")
        let digits = try #require(document["master_key_hex"] as? String)
        let key = try world.makeKey("key", digits)
        try FileSystem().replace(world.path("passphrase"), with: Array(Self.passphrase.utf8))
        let from = "--passphrase-file=\(world.path("passphrase"))"
        let intact = try world.valise("store", "verify", world.store, "--key-file", key, "--json")
        #expect(
            intact.status == 0 && intact.output.contains("\"verifiedFiles\":4"),
            "\(intact.output)\(intact.errors)")
        let without = try world.valise("store", "verify", world.store)
        #expect(without.status == 0 && without.errors.contains("no key was given"), "\(without.errors)")

        let out = world.path("out")
        let path = "chats/2026/alice.jsonl"
        let denied = try world.valise("store", "get", world.store, path, out.string)
        #expect(denied.status == 12, "\(denied.errors)")
        #expect(
            try world.valise("store", "get", world.store, path, out.string, "--key-file", key).status == 0)
        let size = try FileSystem().contents(of: out, limit: 1 << 20).count
        #expect(size == 10001)
        let derived = try world.valise(
            "store", "get", world.store, path, out.string, "--force", "--salt-hex", Self.salt, from)
        #expect(derived.status == 0, "\(derived.errors)")
        let other = try world.valise(
            "store", "get", world.store, path, out.string, "--force", "--salt-text", Self.salt, from)
        #expect(other.status == 12, "the same text as text is another key: \(other.errors)")
        let unsaid = try world.valise("store", "get", world.store, path, out.string, "--force", from)
        #expect(unsaid.status == 64 && unsaid.errors.contains("--salt-hex"), "\(unsaid.errors)")
        let wrong = try world.makeKey("wrong")
        #expect(try world.valise("store", "get", world.store, path, "x", "--key-file", wrong).status == 12)
    }

    @Test func `unlock says which key is right, and how a salt is read`() throws {
        let document = try world.install("store_portable_encrypted")
        let key = try world.makeKey("key", try #require(document["master_key_hex"] as? String))
        try FileSystem().replace(world.path("passphrase"), with: Array(Self.passphrase.utf8))
        let from = "--passphrase-file=\(world.path("passphrase"))"
        let right = try world.valise("store", "unlock", world.store, "--key-file", key)
        #expect(
            right.status == 0 && right.output.contains("key file: opens"), "\(right.output)\(right.errors)")
        let tried = try world.valise("store", "unlock", world.store, "--salt", Self.salt, from, "--json")
        #expect(tried.status == 0, "\(tried.errors)")
        #expect(tried.output.contains("{\"key\":\"saltText\",\"opened\":0}"), "\(tried.output)")
        let shown = try world.valise("store", "unlock", world.store, "--salt", Self.salt, from)
        #expect(shown.output.contains("passphrase with --salt-hex: opens"), "\(shown.output)")
        #expect(shown.output.contains("passphrase with --salt-text: wrong"))
        let wrong = try world.valise("store", "unlock", world.store, "--key-file", world.makeKey("wrong"))
        #expect(wrong.status == 12 && wrong.output.contains("wrong"), "\(wrong.output)\(wrong.errors)")
        let asked = try world.valise("store", "unlock", world.store, "--salt-hex", Self.salt, "--no-input")
        #expect(asked.status == 64 && asked.errors.contains("--passphrase-file"), "\(asked.errors)")
    }

    @Test(arguments: ["--salt-text=tcfs-default-salt!", "--recovery-phrase"])
    func `what is stored with a key is fetched with it alone`(rule: String) throws {
        let words =
            String(repeating: "abandon ", count: 23) + "art"
        try FileSystem().replace(world.path("passphrase"), with: Array((words + "\n").utf8))
        let from = "--passphrase-file=\(world.path("passphrase"))"
        try world.write("a.txt", "secret text")
        let stored = try world.valise(
            "store", "put", world.store, world.files.appending("a.txt").string, rule, from)
        #expect(stored.status == 0, "\(stored.errors)")
        for object in try world.objects("chunks") {
            #expect(try !world.read(object).contains("secret"), "stored unencrypted")
        }
        #expect(try world.valise("store", "get", world.store, "a.txt", world.path("x").string).status == 12)
        let out = world.path("out")
        let fetched = try world.valise("store", "get", world.store, "a.txt", out.string, rule, from)
        #expect(try fetched.status == 0 && world.read(out) == "secret text", "\(fetched.errors)")
        // An encrypted file is not replaced by an unencrypted one.
        try world.write("a.txt", "other")
        let unsafe = try world.valise(
            "store", "put", world.store, world.files.appending("a.txt").string, "--force")
        #expect(unsafe.status == 12, "\(unsafe.errors)")
        #expect(try world.valise("store", "put", world.store, "a", rule, "--key-file", "k").status == 64)
    }

    @Test func `a key file that others can read is refused`() throws {
        let key = try world.makeKey()
        try FileSystem().setPermissions([.ownerReadWrite, .otherRead], of: FilePath(key))
        try world.write("a.txt", "a")
        let refused = try world.valise(
            "store", "put", world.store, world.files.appending("a.txt").string, "--key-file", key)
        #expect(refused.status == 1 && refused.errors.contains("chmod 600"), "\(refused.errors)")
    }
}
