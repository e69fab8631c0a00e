import FaultInjection
import Testing

@testable import Valise

/// Archives that are replaced by others while a passphrase is asked for: what was looked at is what is read.
struct ReplacedArchiveTests {
    private let folder: TemporaryFolder
    private let account: AccountLocation
    private let other: AccountLocation
    private let archive: FilePath
    /// A raw key, which needs no derivation.
    private static let key = Array("x'\(String(repeating: "5a", count: 32))'".utf8)

    private var source: PassphraseSource {
        var source = PassphraseSource()
        source.usesKeyStores = false
        return source
    }

    private var replacement: FilePath { folder.appending("other.zip") }

    init() async throws {
        folder = try TemporaryFolder("valise-replaced", inMemory: true)
        account = AccountLocation(directory: folder.appending("account"))
        other = AccountLocation(directory: folder.appending("other"))
        archive = folder.appending("account.zip")
        let secret = SharedSecret(try SecretBytes(copying: Self.key))
        for (location, target) in [(account, archive), (other, folder.appending("other.zip"))] {
            _ = try await CreateAccount(location) { secret }.run(in: OperationContext())
            _ = try await ExportArchive(of: location, to: .file(target), passphrase: .secret(secret))
                .run(in: OperationContext())
        }
    }

    /// Puts a file in the place of the archive before it answers.
    private struct ReplacingAnswers: Questions {
        let archive: FilePath
        let replacement: FilePath

        func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? {
            try FileSystem().rename(replacement, to: archive)
            return SharedSecret(try SecretBytes(copying: ReplacedArchiveTests.key))
        }

        func answer(_ question: Question) async throws -> Bool? { true }
    }

    private var context: OperationContext {
        OperationContext(questions: ReplacingAnswers(archive: archive, replacement: replacement))
    }

    /// What tells databases apart without a passphrase.
    private func salts(_ location: AccountLocation) throws -> [[UInt8]] {
        try AccountDatabase.allCases.map {
            try FileSource(location.path(of: $0)).bytes(at: 0, upTo: 16)
        }
    }

    @Test func `the archive that was looked at is imported`() async throws {
        let before = try (salts(account), salts(other))
        try #require(before.0 != before.1)
        let options = ArchiveImport.Options(replacesAccount: true, replacesNewer: true)
        let imported = try await ImportArchive(
            .file(archive), into: account, options: options, passphrase: source
        ).run(in: context)
        #expect(imported.report.replacedAccount)
        #expect(try salts(account) == before.0)
        #expect(try !FileSystem().exists(replacement), "nothing was asked")
        // The one that is there now is the other one.
        _ = try await ImportArchive(
            .file(archive), into: account, options: options,
            passphrase: .secret(SharedSecret(try SecretBytes(copying: Self.key)))
        ).run(in: context)
        #expect(try salts(account) == before.1)
    }

    /// Counts what it is asked, and says no.
    private actor Declining: Questions {
        private(set) var count = 0

        func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? { nil }

        func answer(_ question: Question) async throws -> Bool? {
            count += 1
            return false
        }
    }

    @Test func `a replacement is asked about once nothing refuses it, and a no changes nothing`() async throws
    {
        let before = try salts(account)
        let answers = Declining()
        let context = OperationContext(questions: answers)
        for (key, code, questions) in [
            (Array("wrong".utf8), FailureCode.wrongPassphrase, 0), (Self.key, .failed, 1),
        ] {
            let operation = ImportArchive(
                .file(archive), into: account,
                options: ArchiveImport.Options(replacesAccount: true, replacesNewer: true),
                passphrase: .secret(SharedSecret(try SecretBytes(copying: key))))
            let error = await #expect(throws: (any Error).self) { try await operation.run(in: context) }
            #expect((error as? any Failure)?.code == code, "\(String(describing: error))")
            #expect(await answers.count == questions)
        }
        #expect(try salts(account) == before)
    }

    @Test func `no account is replaced where nobody answers, and one that is kept without a question`()
        async throws
    {
        let before = try salts(account)
        let secret = SharedSecret(try SecretBytes(copying: Self.key))
        func replacing(keeping name: String?) -> ImportArchive {
            ImportArchive(
                .file(archive), into: account,
                options: ArchiveImport.Options(
                    replacesAccount: true, keepsPreviousAs: name, replacesNewer: true),
                passphrase: .secret(secret))
        }
        let refused = replacing(keeping: nil)
        let error = await #expect(throws: OperationError.self) {
            try await refused.run(in: OperationContext())
        }
        #expect(error?.need == .agreement && error?.code == .invalid)
        #expect(try salts(account) == before)
        let kept = try await replacing(keeping: "before").run(in: OperationContext())
        #expect(kept.replacedAccount)
    }

    /// Knows the answer before the question.
    private struct AgreedBefore: SettledQuestions {
        func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? { nil }

        func answer(_ question: Question) async throws -> Bool? {
            Issue.record("asked")
            return nil
        }

        func isAgreed(before question: Question) throws -> Bool {
            if case .replaceAccount = question { true } else { false }
        }
    }

    @Test func `what is agreed to before is not asked about`() async throws {
        let secret = SharedSecret(try SecretBytes(copying: Self.key))
        let imported = try await ImportArchive(
            .file(archive), into: account,
            options: ArchiveImport.Options(replacesAccount: true, replacesNewer: true),
            passphrase: .secret(secret)
        ).run(in: OperationContext(questions: AgreedBefore()))
        #expect(imported.replacedAccount)
    }

    @Test func `an archive that comes through a descriptor is imported`() async throws {
        let secret = SharedSecret(try SecretBytes(copying: Self.key))
        let descriptor = try FileDescriptor.open(archive, .readOnly)
        defer { try? descriptor.close() }
        let target = AccountLocation(directory: folder.appending("fresh"))
        let operation = ImportArchive(
            .descriptor(descriptor, name: "an archive"), into: target, passphrase: .secret(secret))
        #expect(try await operation.plan(in: OperationContext()).refusal == nil)
        let imported = try await operation.run(in: OperationContext())
        #expect(imported.entries > 0 && !imported.replacedAccount)
        #expect(try salts(target) == salts(account))
    }

    @Test func `of a damaged archive, a verification shows all problems`() async throws {
        var bytes = try FileSystem().contents(of: archive, limit: 1 << 28)
        bytes[20_000] ^= 1
        let broken = folder.appending("broken.zip")
        try FileSystem().replace(broken, with: bytes)
        let secret = SharedSecret(try SecretBytes(copying: Self.key))
        for acceptsDamage in [false, true] {
            let operation = ImportArchive(
                .file(broken), into: AccountLocation(directory: folder.appending("fresh")),
                options: ArchiveImport.Options(allowsDamaged: acceptsDamage), passphrase: .secret(secret))
            let error = await #expect(throws: ArchiveRefusal.self) {
                try await operation.run(in: OperationContext())
            }
            #expect(error?.code == .damaged && error?.remedy == .verifyArchive(broken))
            #expect(error?.acceptsDamage == acceptsDamage)
        }
    }

    @Test func `the archive that was looked at is planned, too`() async throws {
        try FileSystem().replace(replacement, with: Array("no archive".utf8))
        let plan = try await ImportArchive(
            .file(archive), into: account,
            options: ArchiveImport.Options(replacesAccount: true, replacesNewer: true), passphrase: source
        ).plan(in: context)
        #expect(plan.schema != nil && plan.refusal == nil)
        #expect(try !FileSystem().exists(replacement), "nothing was asked")
    }

    @Test func `the archive that was looked at is compared`() async throws {
        let same = folder.appending("same.zip")
        let secret = SharedSecret(try SecretBytes(copying: Self.key))
        _ = try await ExportArchive(of: account, to: .file(same), passphrase: .secret(secret))
            .run(in: OperationContext())
        let report = try await CompareAccounts(archive, same, passphrase: source).run(in: context)
        #expect(report.databases.allSatisfy { $0.state == .identical })
        #expect(try !FileSystem().exists(replacement), "nothing was asked")
        let replaced = try await CompareAccounts(archive, same, passphrase: .secret(secret))
            .run(in: OperationContext())
        #expect(!replaced.databases.allSatisfy { $0.state == .identical })
    }

    @Test func `the archive that was looked at is extracted`() async throws {
        try FileSystem().replace(replacement, with: Array("no archive".utf8))
        let report = try await ExtractArchive(
            archive, to: folder.appending("out"),
            options: ArchiveExtraction.Options(decryptsMedia: true), passphrase: source
        ).run(in: context)
        #expect(report.isComplete && report.entries >= 2)
        #expect(try !FileSystem().exists(replacement), "nothing was asked")
    }

    @Test func `a passphrase that is asked for opens a tar, too`() async throws {
        let tar = folder.appending("account.tar")
        var options = ArchiveExport.Options()
        options.format = .tar
        _ = try await ExportArchive(of: account, to: .file(tar), options: options, passphrase: source)
            .run(in: OperationContext())
        let report = try await ExtractArchive(
            tar, to: folder.appending("out"),
            options: ArchiveExtraction.Options(decryptsMedia: true), passphrase: source
        ).run(in: context)
        #expect(report.isComplete && report.entries >= 2)
        #expect(try !FileSystem().exists(replacement), "nothing was asked")
    }
}
