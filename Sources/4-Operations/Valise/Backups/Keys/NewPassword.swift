import ValiseKeys
import ValiseRepository
import ValiseSecrets

extension OperationContext {
    /// Refuses a new password of a repository that is empty, weak, or that other programs could not be given from a file. It is
    /// judged as a passphrase is: whoever has it can read every message.
    ///
    /// - Throws: ``OperationError``: `invalid`.
    func accept(newPassword password: SharedSecret, evenIfWeak: Bool) throws {
        guard !password.bytes.isEmpty else {
            throw OperationError(
                .invalid, "the new password is empty. Nothing was changed.", need: .strongPassphrase)
        }
        if evenIfWeak { return }
        if let obstacle = obstacle(toReading: password) {
            throw OperationError(
                .invalid, "the new password \(obstacle). Nothing was changed.", need: .strongPassphrase)
        }
        if try PassphraseStrength(of: password.bytes).isWeak {
            throw OperationError(
                .invalid, "the new password is too easy to guess. Nothing was changed.",
                need: .strongPassphrase)
        }
    }

    /// Why another program may not get it as it is; nil for nothing.
    private func obstacle(toReading password: SharedSecret) -> String? {
        unsafe password.bytes.withBytes { bytes in
            if unsafe !isValidUTF8(bytes) { return "is not valid UTF-8" }
            if unsafe bytes.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
                return "has more than one line, and is hard to type"
            }
            let blanks: [UInt8] = [UInt8(ascii: " "), UInt8(ascii: "\t")]
            if let first = unsafe bytes.first, let last = unsafe bytes.last,
                blanks.contains(first) || blanks.contains(last)
            {
                return "begins or ends with a space, which restic does not read from a file"
            }
            return nil
        }
    }
}

extension RepositoryInput {
    /// A new password for a repository that is open, asked for once it is told what an earlier change of it has left.
    func newPassword(
        for opened: Repository, evenIfWeak: Bool, in context: OperationContext,
        _ password: @Sendable () async throws -> SharedSecret
    ) async throws -> SharedSecret {
        try await context.blocking { _ in
            try context.tellOfPasswordChange(opened, at: place, forgets: true)
        }
        let password = try await password()
        try context.accept(newPassword: password, evenIfWeak: evenIfWeak)
        return password
    }
}
