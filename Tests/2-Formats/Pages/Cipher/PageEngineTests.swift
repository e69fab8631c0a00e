import SystemPackage
import Testing
import ValiseFiles
import ValisePages
import ValiseSecrets

/// SQLCipher's shell makes every combination of settings; both engines read it, and the shell reads what
/// they write.
struct PageEngineTests {
    struct Combination: CustomTestStringConvertible {
        let settings: CipherSettings
        var pragmas: [String] {
            let hmac = settings.hmacAlgorithm
            return [
                "PRAGMA cipher_page_size = \(settings.pageSize)",
                "PRAGMA kdf_iter = \(settings.kdfIterations)",
                "PRAGMA cipher_kdf_algorithm = PBKDF2_HMAC_\(settings.kdfAlgorithm.rawValue)",
                hmac.map { "PRAGMA cipher_hmac_algorithm = HMAC_\($0.rawValue)" },
                "PRAGMA cipher_use_hmac = \(hmac == nil ? "OFF" : "ON")",
                settings.plaintextHeaderSize > 0
                    ? "PRAGMA cipher_plaintext_header_size = \(settings.plaintextHeaderSize)" : nil,
            ].compactMap { $0 }
        }
        var testDescription: String {
            "\(settings.pageSize) \(settings.kdfAlgorithm) \(settings.hmacAlgorithm?.rawValue ?? "none") "
                + "\(settings.plaintextHeaderSize)"
        }
    }

    static let combinations: [Combination] = {
        var all: [Combination] = []
        for pageSize in [1024, 4096, 16384, 65536] {
            for hmac in HashAlgorithm.allCases.map(Optional.init) + [nil] {
                for header in [0, 32] {
                    all.append(
                        Combination(
                            settings: CipherSettings(
                                pageSize: pageSize, kdfAlgorithm: hmac ?? .sha256, kdfIterations: 10,
                                hmacAlgorithm: hmac, plaintextHeaderSize: header)))
                }
            }
        }
        return all
    }()

    static let engines: [PageEngineKind] = PageEngineKind.allCases.filter {
        $0 == .libcrypto || PageEngineKind.best(for: .format4) == $0
    }

    @Test func `this processor's own engine is tried here`() {
        #if arch(x86_64) && os(Linux)
            #expect(Self.engines.count == 2, "no AVX2: intel-ipsec-mb is not tested on this machine")
        #endif
    }

    /// Both engines refuse the same pages, whichever part of a page was changed.
    @Test(.enabled(if: CipherShell.isThere))
    func `the engines agree on what is damaged`() throws {
        let shell = try CipherShell()
        defer { shell.remove() }
        let passphrase = "x'" + String(repeating: "7b", count: 32) + "'"
        try shell.run("db", ["PRAGMA key = \"\(passphrase)\""] + CipherShell.content(rows: 60))
        let path = FilePath(shell.path("db"))
        let sound = try FileSystem().contents(of: path, limit: 1 << 24)
        // First and last byte of the content, of the IV, of the HMAC.
        for offset in [0, 4015, 4016, 4031, 4032, 4095] {
            var bytes = sound
            for page in [3, 4, 11] { bytes[page * 4096 + offset] ^= 0x40 }
            try FileSystem().replace(path, with: bytes)
            let source = try FileSource(path)
            let key = try CipherKey(
                passphrase: SecretBytes(copying: Array(passphrase.utf8)),
                salt: EncryptedDatabaseFile.salt(of: source), settings: .format4)
            let file = try EncryptedDatabaseFile(source, settings: .format4, key: key)
            for engine in Self.engines {
                #expect(
                    try file.verify(engine: engine).damaged == PageSet([4, 5, 12]), "\(engine) \(offset)")
            }
        }
    }

    @Test(.enabled(if: CipherShell.isThere), arguments: combinations)
    func `what SQLCipher wrote is read, and what is written passes its check`(
        combination: Combination
    ) throws {
        let shell = try CipherShell()
        defer { shell.remove() }
        let settings = combination.settings
        // With a plain header the salt is not in the file; a raw key with its salt stands for both.
        let key = "x'" + String(repeating: "7b", count: 32)
        let isExternal = settings.plaintextHeaderSize > 0
        let old = isExternal ? key + String(repeating: "11", count: 16) + "'" : "pass 'word'"
        let new = isExternal ? key + String(repeating: "22", count: 16) + "'" : "other"
        func statements(_ passphrase: String) -> [String] {
            ["PRAGMA key = \"\(passphrase)\""] + combination.pragmas
        }
        try shell.run("db", statements(old) + CipherShell.content())
        let dump = try shell.run("db", statements(old) + ["SELECT id, a, hex(b) FROM t"])

        let source = try FileSource(FilePath(shell.path("db")))
        let oldKey = try CipherKey(
            passphrase: SecretBytes(copying: Array(old.utf8)), salt: EncryptedDatabaseFile.salt(of: source),
            settings: settings)
        let file = try EncryptedDatabaseFile(source, settings: settings, key: oldKey)
        let newKey = try CipherKey(
            passphrase: SecretBytes(copying: Array(new.utf8)), salt: KeyDerivation.makeSalt(),
            settings: settings)
        for engine in Self.engines where engine == .libcrypto || settings.hmacAlgorithm == .sha512 {
            let verification = try file.verify(engine: engine)
            #expect(verification.isSound && verification.pageCount > 10)
            let target = ParallelWriter(try FileSystem().create(FilePath(shell.path("\(engine)"))))
            try PageReencryption(of: file, under: newKey, engine: engine).write(to: target)
            if settings.hmacAlgorithm != nil {
                // It prints a line for each page that is damaged.
                let problems = try shell.run(
                    "\(engine)", statements(new) + ["PRAGMA cipher_integrity_check"])
                #expect(problems.replacing("ok\n", with: "") == "")
            }
            #expect(
                try shell.run("\(engine)", statements(new) + ["PRAGMA integrity_check"]).hasSuffix("ok\n"))
            #expect(
                try shell.run("\(engine)", statements(new) + ["SELECT id, a, hex(b) FROM t"]) == dump)
        }
    }
}
