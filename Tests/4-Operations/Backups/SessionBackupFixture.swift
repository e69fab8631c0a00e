import FaultInjection
import SessionBuilders
import SystemPackage
import Testing
import ValiseBackups
import ValiseDatabase
import ValiseEncoding
import ValiseRepository
import ValiseStorage

@testable import Valise

/// Stores of Session, and a repository in a folder.
final class SessionBackupFixture: Sendable {
    let base: BackupRunFixture
    static let story = Story(seed: 31, messages: 160)

    var folder: TemporaryFolder { base.folder }
    var fileSystem: FileSystem { base.fileSystem }
    var desktop: FilePath { folder.appending("Session") }
    var phone: FilePath { folder.appending("group") }

    init() throws { base = try BackupRunFixture() }

    /// A profile as the app leaves it that ended early: with a log that has the last messages.
    func writeDesktop(_ lock: DesktopBuilder.Lock = .key, hasLog: Bool = true) throws {
        var builder = DesktopBuilder(lock: lock)
        builder.seal = DesktopBuilder.encryption
        let made = folder.appending("made")
        try builder.write(Self.story, to: made)
        let connection = try Connection(
            DesktopBuilder.database(made), mode: .shared,
            passphrase: SecretBytes(copying: Array(builder.passphrase.utf8)))
        if hasLog { try connection.execute("INSERT INTO items VALUES ('late', '{}')") }
        try TemporaryFolder.copyTree(made, to: desktop)
        let index = DesktopBuilder.database(desktop).appendingSuffix("-shm")
        if try fileSystem.exists(index) { try fileSystem.remove(index) }
        // Of the browser that the program is made of.
        try fileSystem.makeDirectory(desktop.appending("Cache"))
        try fileSystem.replace(desktop.appending("Cache/data_0"), with: [1, 2, 3])
        try fileSystem.replace(desktop.appending("Cookies"), with: [4])
    }

    func writePhone(hasIndex: Bool = false) throws {
        let made = folder.appending("made-phone")
        try PhoneBuilder().write(Self.story, to: made)
        let connection = try Connection(
            PhoneBuilder.database(made), mode: .shared, passphrase: Self.phoneKey(),
            cipher: ["cipher_plaintext_header_size = 32"])
        try connection.execute("INSERT INTO grdb_migrations VALUES ('late')")
        try TemporaryFolder.copyTree(made, to: phone)
        let index = PhoneBuilder.database(phone).appendingSuffix("-shm")
        if !hasIndex, try fileSystem.exists(index) { try fileSystem.remove(index) }
        try fileSystem.replace(folder.appending("key"), with: PhoneBuilder.key)
    }

    static func phoneKey() throws -> SecretBytes {
        try SecretBytes(copying: Array("x'\(Hexadecimal.encode(PhoneBuilder.key))'".utf8))
    }

    func operation(_ path: FilePath, _ given: PassphraseSource.Given? = nil) throws -> BackUpAccounts {
        var passphrase = PassphraseSource(given)
        passphrase.usesKeyStores = false
        return BackUpAccounts(
            [BackUpAccounts.Account(path)], into: try base.input(), passphrase: passphrase)
    }

    @discardableResult
    func backUp(
        _ path: FilePath, _ given: PassphraseSource.Given? = nil
    ) async throws -> SnapshotReport {
        let run = try await operation(path, given).run(in: base.context)
        return try #require(run.accounts.first?.snapshot)
    }

    func restore(
        _ snapshot: String = "latest", to name: String = "restored", _ given: PassphraseSource.Given? = nil,
        _ change: (inout RestoreChoice) -> Void = { _ in }
    ) async throws -> RestoredSnapshot {
        var source = PassphraseSource(given)
        source.usesKeyStores = false
        var operation = RestoreSnapshot(
            snapshot, in: try base.input(), to: folder.appending(name), passphrase: source
        ) { throw OperationError(.failed, "nobody types a passphrase") }
        change(&operation.options)
        return try await operation.run(in: base.context)
    }

    /// What is kept of a profile: its files with their bytes.
    func contents(_ folder: FilePath) throws -> [String: [UInt8]] {
        try TemporaryFolder.contents(of: folder).compactMapValues { $0 }.filter {
            !$0.key.hasPrefix("Cache/") && $0.key != "Cookies" && !$0.key.hasSuffix("-shm")
        }
    }
}
