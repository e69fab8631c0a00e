import FaultInjection
import Foundation
import SessionBuilders
import SystemPackage
import TestPeers
import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSecrets

@testable import ValiseSessionStore

/// Backups of Session iOS: what is in them, and what a password opens.
struct SessionBackupTests {
    private func vector() throws -> (backup: SessionBackup, document: JSONNode) {
        let document = try StoreVectors.document("session_bak")
        let password = try StoreVectors.secret(try #require(document["password"]?.textValue))
        let source = BytesSource(try StoreVectors.bytes(document["archive_b64"]))
        return (try SessionBackup(source, password: password), document)
    }

    private func sample() throws -> SessionBackup {
        try SessionBackup(
            BytesSource(SampleBackup.builder().bytes()), password: StoreVectors.secret(BackupBuilder.password)
        )
    }

    // MARK: The vector

    @Test func `the files of the vector are listed`() throws {
        let (backup, document) = try vector()
        #expect((backup.fileCount, backup.extraCount) == (2, 1))
        let files = try #require(document["files"]?.arrayValue)
        let entries = try backup.list()
        #expect(entries.map(\.path) == files.compactMap { $0["path"]?.textValue })
        #expect(entries.map(\.size) == files.compactMap { $0["size"]?.integerValue })
        #expect(entries.map(\.isExtra) == files.compactMap { $0["extra"]?.boolValue })
    }

    @Test func `the contents of the vector are what their digests say, in order and at any place`() throws {
        let (backup, document) = try vector()
        let folder = try TemporaryFolder(inMemory: true)
        let target = folder.appending("out")
        let extraction = try backup.extract(into: target)
        #expect(extraction == SessionBackup.Extraction(files: 3, bytes: 9120))
        for file in try #require(document["files"]?.arrayValue) {
            let path = try #require(file["path"]?.textValue)
            let written = try FileSource(target.appending(path))
            let digest = Hexadecimal.encode(try SHA256.hash(written))
            #expect(digest == file["sha256"]?.textValue)
            #expect(Hexadecimal.encode(try SHA256.hash(try backup.content(of: path))) == digest)
        }
    }

    @Test func `the key of the vector is decrypted`() throws {
        let (backup, document) = try vector()
        let password = try StoreVectors.secret(try #require(document["password"]?.textValue))
        let key = try backup.includedKey(password: password).databaseKey()
        #expect(try key.opens(StoreVectors.database(0)))
        // The database of the vector is random bytes.
        let error = #expect(throws: SessionStoreError.self) { try backup.verifiedKey(password: password) }
        #expect(error?.kind == .wrongKey)
    }

    @Test(.enabled(if: OtherProgram.python(with: "cryptography") != nil))
    func `an independent reader finds in a backup of the tests what is found here`() throws {
        let folder = try TemporaryFolder(inMemory: true)
        try TestFiles.write(try SampleBackup.builder().bytes(), to: folder.appending("session.bak"))
        let script = Repository.beside("../Fixtures/unpack-backup.py").path
        let outcome = try #require(OtherProgram.python(with: "cryptography")).run(
            [script, folder.appending("session.bak").string, BackupBuilder.password])
        let backup = try sample()
        let lines = try backup.list().map { entry in
            let digest = try SHA256.hash(try backup.content(of: entry.path))
            return "\(entry.path) \(entry.size) \(entry.isExtra ? 1 : 0) \(Hexadecimal.encode(digest))"
        }
        let key = Hexadecimal.encode(try StoreVectors.keySpecification())
        #expect(outcome.output.split(separator: "\n").map(String.init) == lines + [key])
    }

    // MARK: Keys

    @Test func `the key in a backup is verified by the database in it`() throws {
        let backup = try sample()
        _ = try backup.verifiedKey(password: StoreVectors.secret(BackupBuilder.password))
        let error = #expect(throws: SessionStoreError.self) {
            try backup.verifiedKey(password: StoreVectors.secret("another password"))
        }
        #expect(error?.kind == .wrongKey)
    }

    @Test func `a wrong password and none are told apart`() throws {
        let source = BytesSource(try SampleBackup.builder().bytes())
        for (password, kind) in [("wrong", SessionStoreError.Kind.wrongKey), ("", .noKey)] {
            let error = #expect(throws: SessionStoreError.self) {
                try SessionBackup(source, password: StoreVectors.secret(password))
            }
            #expect(error?.kind == kind)
            #expect(error?.code == .wrongPassphrase)
        }
    }

    @Test func `a backup without key or database says so`() throws {
        for path in ["database/Session.sqlite", "_extra/key.enc"] {
            var builder = try SampleBackup.builder()
            builder.files.removeAll { $0.path == Array(path.utf8) }
            let password = try StoreVectors.secret(BackupBuilder.password)
            let backup = try SessionBackup(BytesSource(builder.bytes()), password: password)
            let verification = try backup.verify()
            #expect(verification.hasKey == (path != "_extra/key.enc"))
            #expect(verification.hasDatabase == (path == "_extra/key.enc"))
            let error = #expect(throws: SessionStoreError.self) { try backup.verifiedKey(password: password) }
            #expect(error?.kind == .missing)
            #expect(error?.message.contains(path) == true)
        }
    }

    @Test(arguments: ["", "no base64!", "AAAA", "-_-_"]) func `a malformed key is damage`(_ text: String)
        throws
    {
        var builder = try SampleBackup.builder()
        builder.files[3].content = Array(text.utf8)
        let password = try StoreVectors.secret(BackupBuilder.password)
        let backup = try SessionBackup(BytesSource(builder.bytes()), password: password)
        let error = #expect(throws: SessionStoreError.self) { try backup.includedKey(password: password) }
        #expect(error?.kind == .damaged)
    }

    // MARK: Checking

    @Test func `all frames are verified, and progress ends at the end`() throws {
        let backup = try sample()
        var last: Int64 = 0
        let verification = try backup.verify { position in
            #expect(position > last)
            last = position
        }
        #expect(verification.files == 4)
        #expect(verification.bytes == 8192 + 10_000 + 104)
        #expect(last == backup.source.size)
    }

    @Test func `a check can be stopped`() throws {
        struct Stop: Error {}
        let backup = try sample()
        #expect(throws: Stop.self) { try backup.verify { _ in throw Stop() } }
    }

    @Test func `a listing passes over damaged contents, and a check does not`() throws {
        var bytes = try SampleBackup.builder().bytes()
        // In the content of the first file.
        bytes[1000] ^= 1
        let backup = try SessionBackup(
            BytesSource(bytes), password: StoreVectors.secret(BackupBuilder.password))
        #expect(try backup.list().count == 4)
        let error = #expect(throws: SessionStoreError.self) { try backup.verify() }
        #expect(error?.kind == .damaged)
        #expect(error?.message.contains("database/Session.sqlite") == true)
    }

    @Test func `any part of a content is read`() throws {
        var builder = try SampleBackup.builder()
        var random = SeededGenerator(seed: 11)
        builder.files[1].content = (0..<10_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let backup = try SessionBackup(
            BytesSource(builder.bytes()), password: StoreVectors.secret(BackupBuilder.password))
        let content = try backup.content(of: "Attachments/0a1b")
        #expect(content.size == 10_000)
        for _ in 0..<200 {
            let start = Int.random(in: 0...10_050, using: &random)
            let count = [0, 1, 100, 4096, 9000].randomElement(using: &random)!
            let expected = Array(builder.files[1].content.dropFirst(start).prefix(count))
            #expect(try content.bytes(at: Int64(start), upTo: count) == expected)
        }
        #expect(try backup.content(of: "Attachments/empty").bytes(at: 0, upTo: 10) == [])
    }

    @Test func `a content in small frames is verified and extracted, and not read at any place`() throws {
        var builder = try SampleBackup.builder()
        builder.files[1].chunk = 100
        let backup = try SessionBackup(
            BytesSource(builder.bytes()), password: StoreVectors.secret(BackupBuilder.password))
        #expect(try backup.verify().files == 4)
        let error = #expect(throws: SessionStoreError.self) { try backup.content(of: "Attachments/0a1b") }
        #expect(error?.kind == .unsupported)
        let folder = try TemporaryFolder(inMemory: true)
        _ = try backup.extract(into: folder.path)
        #expect(
            try FileSystem().contents(of: folder.appending("Attachments/0a1b"), limit: 1 << 20)
                == SampleBackup.attachment)
    }
}
