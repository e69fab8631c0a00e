import FaultInjection
import Foundation
import SessionBuilders
import SystemPackage
import TestPeers
import Testing
import ValiseEncoding
import ValiseFiles

@testable import ValiseSessionStore

/// Agreement with `cryptography` over a whole `session.bak`, by a writer that knows only the format's description. A reader of
/// that kind is in ``SessionBackupTests``.
@Suite(.enabled(if: OtherProgram.python(with: "cryptography") != nil, "needs cryptography"))
struct BackupPeerTests {
    private let folder: TemporaryFolder
    private static let password = "a pässword of Python"

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    @Test(arguments: PhoneEra.allCases) func `the account in a backup of another program is read`(
        _ era: PhoneEra
    ) throws {
        let story = Story(seed: 61, messages: 700, isWide: true)
        let (container, target) = (folder.appending("container"), folder.appending("session.bak"))
        try PhoneBuilder(era: era).write(story, to: container)
        let script = Repository.url("Tests/2-Formats/SessionStore/Support/pack_backup.py").path
        let outcome = try #require(OtherProgram.python(with: "cryptography")).run([
            script, container.string, Hexadecimal.encode(PhoneBuilder.key), Self.password, target.string,
        ])
        #expect(outcome.status == 0, "\(outcome.output)")
        let password = try StoreVectors.secret(Self.password)
        let backup = try SessionBackup(FileSource(target), password: password)
        let verification = try backup.verify()
        #expect(verification.hasKey && verification.hasDatabase)
        #expect(
            verification.files
                == story.messages.flatMap(\.storedFiles).count(where: \.isThere) + 2)
        let store = try backup.open(password: password)
        #expect(store.warnings == [])
        try StoryExpectation(story: story, program: .phone).check(store)
        for file in story.messages.prefix(300).flatMap(\.storedFiles) where file.isThere {
            let path = "Attachments/\(try PhoneBuilder.name(of: file))"
            #expect(try backup.content(of: path).bytes(at: 0, upTo: 1000) == file.content)
        }
        let error = #expect(throws: SessionStoreError.self) {
            try SessionBackup(FileSource(target), password: StoreVectors.secret("another"))
        }
        #expect(error?.kind == .wrongKey)
    }
}
