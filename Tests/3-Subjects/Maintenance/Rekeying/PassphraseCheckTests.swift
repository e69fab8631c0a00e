import FaultInjection
import SystemPackage
import Testing
import ValiseAccounts
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMaintenance
import ValisePages
import ValiseSecrets

struct PassphraseCheckTests {
    private func answers(
        _ fixture: RekeyFixture, _ passphrase: [UInt8] = RekeyFixture.old, hint: CipherHint? = nil
    ) throws -> [PassphraseAnswer] {
        try PassphraseCheck.run(
            fixture.location, passphrase: SecretBytes(copying: passphrase), hint: hint
        ).map(\.answer)
    }

    @Test func `right and wrong are told apart, for each database, and nothing is written`() throws {
        let fixture = try RekeyFixture()
        let before = try fixture.bytes()
        #expect(try answers(fixture) == [.right, .right])
        #expect(try answers(fixture, RekeyFixture.new) == [.wrong, .wrong])
        #expect(try answers(fixture, []) == [.wrong, .wrong])
        #expect(try fixture.bytes() == before)
    }

    @Test func `each defect has its own answer`() throws {
        let fixture = try RekeyFixture()
        try fixture.damage(.agent) { $0[200] ^= 1 }
        #expect(try answers(fixture) == [.right, .firstPageDamaged])
        // The first 16 bytes are what every key is derived from: without them no passphrase fits.
        try fixture.damage(.chat) { $0[3] ^= 1 }
        #expect(try answers(fixture) == [.wrong, .firstPageDamaged])
        try fixture.damage(.chat) { bytes in bytes = bytes.indices.map { UInt8($0 % 50 + 40) } }
        #expect(try answers(fixture)[0] == .notSQLCipher)
        try fixture.damage(.chat) { bytes in bytes = Array("SQLite format 3\0".utf8) + bytes.dropFirst(16) }
        #expect(try answers(fixture)[0] == .unencrypted)
        try fixture.damage(.chat) { bytes in bytes = [] }
        #expect(try answers(fixture)[0] == .notSQLCipher)
        try fixture.fileSystem.remove(fixture.location.path(of: .chat))
        #expect(try answers(fixture)[0] == .missing)
        #expect(try answers(RekeyFixture(passphrase: [], rows: 1)) == [.unencrypted, .unencrypted])
    }

    /// Files of other settings, made by SQLCipher itself.
    private func convert(_ fixture: RekeyFixture, _ settings: CipherSettings, _ passphrase: String) throws {
        for database in AccountDatabase.allCases {
            let path = fixture.location.path(of: database)
            let other = path.appendingSuffix(".other")
            // The defaults of an attached database are process-wide, so a process of its own.
            try Shell.run(
                path.string,
                ["PRAGMA key = \"\(String(decoding: RekeyFixture.old, as: UTF8.self))\""]
                    + settings.pragmas.map { "PRAGMA \(Shell.asDefault($0))" }
                    + [
                        "ATTACH '\(other.string)' AS other KEY \"\(passphrase)\"",
                        "SELECT sqlcipher_export('other')", "PRAGMA other.user_version = 77",
                    ])
            try fixture.fileSystem.rename(other, to: path)
        }
    }

    @Test(.enabled(if: Shell.isThere), arguments: [1, 2, 3])
    func `older formats are identified and upgraded`(format: Int) throws {
        let settings = try #require(CipherSettings.formats.first { $0.number == format }?.settings)
        let fixture = try RekeyFixture(rows: 40)
        let before = try fixture.dump(RekeyFixture.old)
        try convert(fixture, settings, "old format")
        let passphrase = Array("old format".utf8)
        #expect(try answers(fixture, passphrase) == [.otherParameters, .otherParameters])
        #expect(try answers(fixture, Array("other".utf8)) == [.wrong, .wrong])
        let refusal = #expect(throws: RekeyError.self) { try fixture.change(from: passphrase) }
        #expect(refusal?.code == .unsupported)
        let report = try CipherUpgrade().run(fixture.location, passphrase: SecretBytes(copying: passphrase))
        #expect(report.upgraded == [.chat, .agent] && report.previous[.chat]?.format == format)
        #expect(try answers(fixture, passphrase) == [.right, .right])
        // The export that made the older files lost auto_vacuum, as the official one does.
        let after = try fixture.dump(passphrase)
        #expect(after[0] == before[0] && after.dropFirst(2).prefix(5) == before.dropFirst(2).prefix(5))
        let again = try CipherUpgrade().run(fixture.location, passphrase: SecretBytes(copying: passphrase))
        #expect(again.upgraded.isEmpty)
    }

    @Test(.enabled(if: Shell.isThere))
    func `settings of one's own are found with a hint`() throws {
        let settings = CipherSettings(
            pageSize: 8192, kdfAlgorithm: .sha256, kdfIterations: 12_345, hmacAlgorithm: .sha1)
        let fixture = try RekeyFixture(rows: 40)
        try convert(fixture, settings, "custom")
        let hint = CipherHint(kdfAlgorithm: .sha256, kdfIterations: 12_345)
        #expect(try answers(fixture, Array("custom".utf8)) == [.wrong, .wrong])
        #expect(
            try answers(fixture, Array("custom".utf8), hint: hint) == [.otherParameters, .otherParameters])
        let key = try SecretBytes(copying: Array("custom".utf8))
        let report = try CipherUpgrade().run(fixture.location, passphrase: key, hint: hint)
        #expect(report.upgraded == [.chat, .agent] && report.previous[.agent] == settings)
        _ = try fixture.dump(Array("custom".utf8))
    }

    @Test(.enabled(if: Shell.isThere))
    func `a plain header with a salt elsewhere is verified and upgraded`() throws {
        let settings = CipherSettings(
            pageSize: 4096, kdfAlgorithm: .sha512, kdfIterations: 256_000, hmacAlgorithm: .sha512,
            plaintextHeaderSize: 32)
        let salt = String(repeating: "4d", count: 16)
        let passphrase = "x'" + String(repeating: "7b", count: 32) + salt + "'"
        let fixture = try RekeyFixture(rows: 40)
        try convert(fixture, settings, passphrase)
        let hint = CipherHint(plaintextHeaderSize: 32, salt: [UInt8](repeating: 0x4d, count: 16))
        #expect(
            try answers(fixture, Array(passphrase.utf8), hint: hint) == [.otherParameters, .otherParameters])
        #expect(try answers(fixture, RekeyFixture.new, hint: hint) == [.wrong, .wrong])
        let key = try SecretBytes(copying: Array(passphrase.utf8))
        let report = try CipherUpgrade().run(fixture.location, passphrase: key, hint: hint)
        #expect(report.upgraded == [.chat, .agent] && report.previous[.chat] == settings)
        _ = try fixture.dump(Array(passphrase.utf8))
    }

    @Test(.enabled(if: Shell.isThere))
    func `what cannot tell damage from content stays as a backup`() throws {
        let fixture = try RekeyFixture(rows: 40)
        try convert(fixture, .format1, "old format")
        let report = try CipherUpgrade().run(
            fixture.location, passphrase: SecretBytes(copying: Array("old format".utf8)))
        #expect(report.keepsBackup)
        #expect(try fixture.bytes().keys.filter { $0.hasSuffix(".bak") }.count == 2)
    }

    @Test(.enabled(if: Shell.isThere))
    func `a damaged page of an older format stops the upgrade`() throws {
        let fixture = try RekeyFixture(rows: 40)
        try convert(fixture, .format3, "old format")
        try fixture.damage(.agent) { $0[20 * 1024 + 7] ^= 1 }
        let before = try fixture.bytes()
        let error = #expect(throws: PageCipherError.self) {
            try CipherUpgrade().run(
                fixture.location, passphrase: SecretBytes(copying: Array("old format".utf8)))
        }
        #expect(error?.pages == PageSet([21]))
        #expect(try fixture.bytes() == before)
    }
}
