import FaultInjection
import Foundation
import SystemPackage
import TestPeers
import Testing
import ValiseCryptography
import ValiseFailures
import ValiseFiles
import ValiseSecrets

@testable import ValiseContentStore

struct StoreKeyTests {
    private func hexadecimal(_ key: StoreKey) -> String {
        key.secret.withBytes { ContentDigest(Array($0))?.text ?? "" }
    }

    private func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }

    @Test func `a passphrase has the key that others derive`() throws {
        for item in try StoreFixture.list("kdf", "passphrase") {
            let rule = Argon2id(
                passes: UInt32(try item.number("time")), kibibytes: UInt32(try item.number("mem_kib")),
                lanes: UInt32(try item.number("lanes")))
            let password = try secret(item.required("passphrase_utf8"))
            let key = try rule.key(password, salt: item.hexadecimal("salt_hex"))
            #expect(try hexadecimal(StoreKey(key)) == item.required("key_hex"))
            // Those of tcfs are used without being named.
            guard try item.required("label").hasPrefix("defaults") else { continue }
            let derived = try StoreKey.derived(
                passphrase: secret(item.required("passphrase_utf8")), salt: .hex(item.required("salt_hex")))
            #expect(try hexadecimal(derived) == item.required("key_hex"))
        }
    }

    @Test func `a salt of text is cut or filled, and never decoded`() throws {
        let cases = try StoreFixture.list("kdf", "file_provider_salt_rule", "cases")
        #expect(cases.count == 3)
        for item in cases {
            let salt = SaltForm.text(try item.required("encryption_salt_text"))
            #expect(try salt.bytes() == item.hexadecimal("salt_bytes_hex"))
            let key = try StoreKey.derived(passphrase: secret(item.required("passphrase_utf8")), salt: salt)
            #expect(try hexadecimal(key) == item.required("key_hex"))
        }
        #expect(try SaltForm.macOSDefault.bytes() == Array("tcfs-default-sal".utf8))
        // A character is cut in the middle, as the bytes are.
        #expect(try SaltForm.text("äöüäöüäöa").bytes() == Array("äöüäöüäö".utf8))
    }

    @Test(arguments: [
        SaltForm.hex(""), .hex("00"), .hex("000102030405060708090a0b0c0d0e0"),
        .hex("000102030405060708090a0b0c0d0e0g"),
        .hex("000102030405060708090a0b0c0d0e0f00"), .text(""),
    ])
    func `a salt that is none is refused`(salt: SaltForm) {
        let error = #expect(throws: ContentStoreError.self) { try salt.bytes() }
        #expect(error?.code == .invalid)
    }

    @Test func `an empty passphrase is refused`() throws {
        #expect(throws: ContentStoreError.self) {
            try StoreKey.derived(passphrase: try SecretBytes.empty(), salt: .text("salt"))
        }
    }

    @Test func `twelve words are a recovery phrase, eleven a passphrase`() throws {
        let phrase =
            "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
        let key = try StoreKey.derived(passphraseOrPhrase: secret(phrase), salt: nil)
        #expect(key.equals(try StoreKey.derived(phrase: RecoveryPhrase(secret(phrase)))))
        let words = String(phrase.dropLast(" about".count))
        let salt = SaltForm.text("a salt")
        let other = try StoreKey.derived(passphraseOrPhrase: secret(words), salt: salt)
        #expect(other.equals(try StoreKey.derived(passphrase: secret(words), salt: salt)))
        for (text, salt) in [(words, nil), (phrase + " x", salt), (phrase + " ", salt)] {
            let error = #expect(throws: ContentStoreError.self) {
                try StoreKey.derived(passphraseOrPhrase: secret(text), salt: salt)
            }
            #expect(error?.code == .invalid)
        }
    }

    // MARK: Files

    @Test func `a file has 32 bytes or 64 digits`() throws {
        let folder = try TemporaryFolder("valise-key", inMemory: true)
        let path = folder.appending("master.key")
        let digits = try StoreFixture.text("aead", "wrap", "master_key_hex")
        let bytes = try StoreFixture.seed(hexadecimal: digits).withBytes { Array($0) }
        for content in [
            bytes, digits.utf8Bytes, (digits + "\n").utf8Bytes, (digits.uppercased() + "\r\n").utf8Bytes,
        ] {
            try FileSystem().replace(path, with: content)
            #expect(try hexadecimal(StoreKey.read(path)) == digits)
        }
        let wrong: [[UInt8]] = [
            [], Array(bytes.dropLast()), bytes + [0], (digits + "\n\n").utf8Bytes, (digits + " ").utf8Bytes,
            ("0" + digits).utf8Bytes, String(digits.dropLast()).utf8Bytes,
            (String(digits.dropLast()) + "g").utf8Bytes,
            [0x20] + digits.dropLast().utf8,
        ]
        for content in wrong {
            try FileSystem().replace(path, with: content)
            let error = #expect(throws: ContentStoreError.self) { try StoreKey.read(path) }
            #expect(error?.code == .invalid && error?.subject == path.string)
        }
        try FileSystem().replace(path, with: [UInt8](repeating: 1, count: 67))
        #expect(throws: FileError.self) { try StoreKey.read(path) }
    }

    @Test func `a file that others can read is refused`() throws {
        let folder = try TemporaryFolder("valise-key", inMemory: true)
        let path = folder.appending("master.key")
        for mode in [0o640, 0o604, 0o660, 0o601] {
            try FileSystem().replace(
                path, with: [UInt8](repeating: 1, count: 32), permissions: .ownerReadWrite)
            #expect(chmod(path.string, mode_t(mode)) == 0)
            let error = #expect(throws: FileError.self) { try StoreKey.read(path) }
            #expect(error?.code == .denied)
            #expect(error?.remedy == .makePrivate(path, isFolder: false, secret: "key"))
        }
        #expect(throws: FileError.self) { try StoreKey.read(folder.appending("none")) }
    }

    @Test(.enabled(if: StoreFixture.peers != nil)) func `a peer derives the same keys`() throws {
        let peer = try #require(StoreFixture.peers)
        let script = """
            import argon2.low_level as a, sys
            password, salt, time, memory, lanes = sys.argv[1:]
            print(a.hash_secret_raw(password.encode(), bytes.fromhex(salt), int(time), int(memory), int(lanes), 32,
                  a.Type.ID, 19).hex())
            """
        for (passes, memory, lanes) in [(1, 64, 1), (2, 512, 3), (3, 1024, 4), (1, 4096, 8)] {
            let salt = (0..<16).map { _ in UInt8.random(in: 0...255) }
            let rule = Argon2id(passes: UInt32(passes), kibibytes: UInt32(memory), lanes: UInt32(lanes))
            let outcome = try peer.outcome(
                of: [
                    "-c", script, "пароль 1",
                    salt.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(),
                ]
                    + [passes, memory, lanes].map(String.init))
            let key = try rule.key(secret("пароль 1"), salt: salt)
            #expect(hexadecimal(StoreKey(key)) == outcome.text.dropLast(), "\(outcome.errors.text)")
        }
    }
}
