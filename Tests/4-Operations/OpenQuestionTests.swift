import FaultInjection
import Testing
import ValiseSampleAccounts

@testable import Valise

/// Operations that are cancelled while a question of theirs is open.
struct OpenQuestionTests {
    /// A dialog that takes no notice of its cancellation.
    private struct OpenDialog: Questions {
        let asked = Promise<Void>()
        let answered = Promise<Bool>()

        func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? { nil }

        func answer(_ question: Question) async throws -> Bool? {
            asked.keep(.success(()))
            return try await answered.value
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a cancelled operation gives its account back at once, whoever still looks at its question`()
        async throws
    {
        let folder = try TemporaryFolder("valise-operations", inMemory: true)
        let account = AccountLocation(directory: folder.appending("account"))
        // A raw key, which needs no derivation.
        let key = "x'" + String(repeating: "5a", count: 32) + "'"
        try FileSystem().replace(folder.appending("key"), with: Array(key.utf8))
        try PreparedFolder.place("a sample with unencrypted media", at: account.directory) { _ in
            try SampleAccount(.init(mediaEncryption: .plain)).build(
                account, passphrase: SecretBytes(copying: Array(key.utf8)))
        }
        let dialog = OpenDialog()
        let context = OperationContext(
            folders: ValiseFolders(state: folder.appending("state")), questions: dialog)
        let purge = PurgeMedia(of: account, deletes: true, passphrase: .file(folder.appending("key")))
        let task = Task { try await purge.run(in: context) }
        try await dialog.asked.value
        #expect(try DirectoryLock(account.directory, .exclusive) == nil)
        task.cancel()
        await #expect(throws: Interruption.self) { try await task.value }
        let lock = try #require(try DirectoryLock(account.directory, .exclusive))
        withExtendedLifetime(lock) {}
        dialog.answered.keep(.success(true))
    }
}
