import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseDatabase
import ValiseFailures
import ValiseFiles
import ValiseMedia
import ValiseSampleAccounts
import ValiseSecrets

/// Media are decrypted while they are extracted, with the keys in the archive.
struct DecryptedExtractionTests {
    private func extract(
        _ account: SampleAccountFixture, _ patterns: [String] = [], passphrase: Bool = true,
        isDryRun: Bool = false
    ) throws -> ExtractionReport {
        try ArchiveExtraction(.init(patterns: patterns, decryptsMedia: true, isDryRun: isDryRun)).extract(
            account.archive, to: account.out, passphrase: passphrase ? SampleAccountFixture.key() : nil)
    }

    private func extracted(_ account: SampleAccountFixture) throws -> [String: [UInt8]] {
        try TemporaryFolder.contents(of: account.out).compactMapValues(\.self)
    }

    @Test(arguments: [true, false])
    func `decrypted media are what they were before they were encrypted`(compresses: Bool) throws {
        // The same account but for encryption; some files are large enough for all cores.
        let plain = try SampleAccountFixture(.unencrypted, mediaBytes: 6_000_000)
        let account = try SampleAccountFixture(.encrypted, mediaBytes: 6_000_000)
        try account.fileSystem.replace(account.location.filesFolder.appending("stray"), with: [1, 2])
        try account.export(.init(compresses: compresses))
        let plan = try extract(account, isDryRun: true)
        let report = try extract(account)
        #expect(report.isComplete && report.withoutKey == 1)
        #expect(plan.entries == report.entries && plan.size == report.size)
        #expect(plan.decrypted == report.decrypted && plan.withoutKey == 1)
        var expected = try plain.files().filter { $0.key.hasPrefix("simplex_v1_files/") }
        #expect(report.decrypted == expected.count && expected.count > 20)
        expected["simplex_v1_files/stray"] = [1, 2]
        let found = try extracted(account)
        #expect(found.filter { $0.key.hasPrefix("simplex_v1_files/") } == expected)
        // What is no medium is as it was.
        #expect(found["simplex_v1_chat.db"] == (try account.files())["simplex_v1_chat.db"])
    }

    @Test func `a damaged file, a broken key and a foreign key are told, and nothing of them is written`()
        throws
    {
        let account = try SampleAccountFixture(.encrypted)
        let names = ["photo_0001.jpg", "photo_0006.jpg", "photo_0014.jpg"]
        let damaged = account.location.filesFolder.appending(names[0])
        var bytes = try account.fileSystem.contents(of: damaged, limit: 1 << 20)
        bytes[bytes.count / 2] ^= 1
        try account.fileSystem.replace(damaged, with: bytes)
        do {
            let connection = try account.connection()
            try connection.run(
                "UPDATE files SET file_crypto_nonce = NULL WHERE file_path = ?", [.text(names[1])])
            try connection.run(
                "UPDATE files SET file_crypto_key = zeroblob(32) WHERE file_path = ?", [.text(names[2])])
        }
        try account.export()
        let report = try extract(account, ["*.jpg"])
        let failed = report.archiveErrors.compactMap {
            if case .fileError(let file, _) = $0 { file } else { nil }
        }
        #expect(failed == names.map { "simplex_v1_files/\($0)" })
        let found = try extracted(account)
        #expect(found.count == report.entries && report.decrypted == 2)
        #expect(!names.contains { found["simplex_v1_files/\($0)"] != nil })
    }

    @Test func `of two rows of one file the key that fits is used`() throws {
        let account = try SampleAccountFixture(.encrypted)
        try account.export(.init(scope: .complete))
        _ = try extract(account, ["photo_0006.jpg"])
        let content = try extracted(account)
        try account.fileSystem.removeTree(account.out)
        // The row before it names it too, with its own key.
        try account.connection().execute(
            "UPDATE files SET file_path = 'photo_0006.jpg' WHERE file_path = 'document_0003.pdf'")
        try account.export(.init(replacesFile: true))
        let report = try extract(account, ["photo_0006.jpg"])
        #expect(report.isComplete && report.decrypted == 1)
        #expect(try extracted(account) == content)
    }

    @Test func `without the passphrase, or with a wrong one, nothing is made`() throws {
        let account = try SampleAccountFixture()
        try account.export()
        #expect { try extract(account, passphrase: false) } throws: {
            ($0 as? AccountArchiveError)?.code == .wrongPassphrase
        }
        let wrong: SecretBytes? = try SecretBytes(
            copying: Array(("x'" + String(repeating: "00", count: 32) + "'").utf8))
        let result = Result {
            try ArchiveExtraction(.init(decryptsMedia: true)).extract(
                account.archive, to: account.out, passphrase: wrong)
        }
        #expect { try result.get() } throws: { ($0 as? AccountMediaError)?.code == .wrongPassphrase }
        #expect(try !account.fileSystem.exists(account.out))
    }

    @Test func `an archive with a database in use is not replaced in its folder`() throws {
        let account = try SampleAccountFixture()
        try account.export()
        let lock = try AccountLock(account.location, .shared, fileSystem: account.fileSystem)
        #expect {
            try ArchiveExtraction(.init(replacesFiles: true)).extract(
                account.archive, to: account.location.directory)
        } throws: {
            ($0 as? any Failure)?.code == .failed
        }
        withExtendedLifetime(lock) {}
    }

    @Test func `failed at each operation, nothing that is not whole has a name`() throws {
        let faults = [FaultPlan.Fault.crash, .fail(.noSpace), .shortWrite]
        let account = try SampleAccountFixture(.encrypted)
        try account.export(.init(scope: .complete))
        _ = try extract(account, ["photo*"])
        let whole = try extracted(account)
        var position = 1
        var reached = true
        while reached {
            for fault in FaultSweep.turn(of: faults, at: position) {
                try account.fileSystem.removeTree(account.out)
                let plan = FaultPlan(fault, at: position)
                _ = try? ArchiveExtraction(
                    .init(patterns: ["photo*"], decryptsMedia: true), fileSystem: FileSystem(interposer: plan)
                ).extract(account.archive, to: account.out, passphrase: SampleAccountFixture.key())
                if try account.fileSystem.exists(account.out) {
                    for (name, bytes) in try extracted(account) where !name.hasPrefix(".valise-extract/") {
                        #expect(bytes == whole[name], "\(fault) at \(position): \(name)")
                    }
                }
                // What has its name is there already.
                _ = try extract(account, ["photo*"])
                #expect(try extracted(account) == whole, "\(fault) at \(position)")
                reached = plan.wasReached
            }
            position += 1
        }
        #expect(position > 20)
    }
}
