import FaultInjection
import SessionBuilders
import SystemPackage
import Testing
import ValiseDatabase
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSecrets

@testable import ValiseSessionStore

/// What opens databases of Session: the vectors are files of SQLCipher 4.12.
struct DatabaseKeyTests {
    private func rows(_ index: Int, _ key: SessionDatabaseKey) throws -> Int64 {
        let source = try StoreVectors.database(index)
        #expect(try key.opens(source))
        return try key.connect(source).count("SELECT count(*) FROM note WHERE body IS NOT NULL")
    }

    @Test func `the key specification of iOS opens a file with a plaintext header`() throws {
        let complete = try PhoneKey(SecretBytes(copying: StoreVectors.keySpecification())).databaseKey()
        #expect(try rows(0, complete) == 2)
        // Without its salt, the key alone opens nothing.
        let bare = try SecretBytes(copying: StoreVectors.keySpecification().prefix(32)).rawKey()
        let key = SessionDatabaseKey(bare, settings: ["cipher_plaintext_header_size = 32"])
        #expect(try !key.opens(StoreVectors.database(0)))
    }

    @Test func `the key of Desktop's configuration is a raw key`() throws {
        let key = try SecretBytes(copying: StoreVectors.keySpecification().prefix(32)).rawKey()
        #expect(try rows(1, SessionDatabaseKey(key)) == 2)
    }

    @Test(arguments: [(2, "Tr0ub4dor & 3"), (3, "deadbeef")])
    func `a password of Desktop opens its file`(_ index: Int, _ password: String) throws {
        let key = SessionDatabaseKey(try DesktopKey.passphrase(of: StoreVectors.secret(password)))
        #expect(try rows(index, key) == 2)
        let other = SessionDatabaseKey(try DesktopKey.passphrase(of: StoreVectors.secret(password + "0")))
        #expect(try !other.opens(StoreVectors.database(index)))
    }

    @Test func `a password of hexadecimal digits alone is wrapped, and does not open as it is typed`() throws
    {
        let typed = SessionDatabaseKey(try StoreVectors.secret("deadbeef"))
        #expect(try !typed.opens(StoreVectors.database(3)))
        for (password, passphrase) in [
            ("deadbeef", "x'deadbeef'"), ("DEADBEEF0", "x'DEADBEEF0'"), ("deadbeefg", "deadbeefg"),
            ("dead beef", "dead beef"), ("x'deadbeef'", "x'deadbeef'"), ("", ""),
        ] {
            let found = try DesktopKey.passphrase(of: StoreVectors.secret(password))
            let isEqual = found.equals(try StoreVectors.secret(passphrase))
            #expect(isEqual, "\(password)")
        }
    }

    @Test func `a password of 64 digits is the key itself`() throws {
        let digits = Hexadecimal.encode(try StoreVectors.keySpecification().prefix(32))
        let key = SessionDatabaseKey(try DesktopKey.passphrase(of: StoreVectors.secret(digits)))
        #expect(try rows(1, key) == 2)
    }

    // MARK: The key specification's file

    private func reading(_ bytes: [UInt8]) throws -> Bool {
        let folder = try TemporaryFolder(inMemory: true)
        try TestFiles.write(bytes, to: folder.appending("key"))
        let key = try PhoneKey(reading: folder.appending("key")).databaseKey()
        return try key.opens(StoreVectors.database(0))
    }

    @Test func `a key specification is read as bytes and as digits`() throws {
        let bytes = try StoreVectors.keySpecification()
        let digits = Array(Hexadecimal.encode(bytes).utf8)
        for content in [bytes, digits, digits + [0x0a], digits + [0x0d, 0x0a]] {
            #expect(try reading(content))
        }
    }

    @Test func `anything else is no key specification`() throws {
        let bytes = try StoreVectors.keySpecification()
        let digits = Array(Hexadecimal.encode(bytes).utf8)
        for content in [
            [], Array(bytes.dropLast()), bytes + [0], Array(digits.dropLast()), digits + [0x30],
            Array(digits.dropLast()) + [0x67], [UInt8](repeating: 0x30, count: 500),
        ] {
            let error = #expect(throws: SessionStoreError.self) { try reading(content) }
            #expect(error?.kind == .invalid)
        }
    }
}
