public import ValiseAccounts
public import ValiseMaintenance
import ValiseMoves

/// Shows the status of an account. Read-only.
public struct InspectAccount: Operation {
    package var account: AccountLocation
    package var passphrase: PassphraseSource
    /// Whether the passphrase is required. Otherwise nobody is asked for it, and without one the schema and the cipher are
    /// left out.
    public var needsPassphrase = false
    /// Whether a note says that the account is in use: for whoever does not show it as a part of the status.
    package var notesUse = false

    /// - Parameters:
    ///   - account: the account, which may be in use.
    ///   - passphrase: opens the databases.
    public init(_ account: AccountLocation, passphrase: PassphraseSource = PassphraseSource()) {
        self.account = account
        self.passphrase = passphrase
    }

    public func run(in context: OperationContext) async throws -> AccountStatus {
        let key =
            needsPassphrase
            ? try await passphrase.passphrase(of: account, in: context)
            : try await passphrase.known(of: account, in: context)
        let report = try await context.blocking { _ in
            var status = try key.lent { try AccountInspection().status(account, passphrase: $0) }
            status.move = move(context)
            return status
        }
        if notesUse {
            let isRead = report.databases.allSatisfy { $0.1.access != .failed }
            context.note(InUseNote(account.directory.string, report.inUse, isSnapshot: isRead))
        }
        return report
    }

    /// Nil where the records cannot be read, too: whatever needs them says so.
    private func move(_ context: OperationContext) -> String? {
        let states = MoveStates(context.folders)
        let sides: [MoveSide] = [.sending, .receiving]
        let moves = sides.compactMap { (try? states.record(of: account, $0))?.move }
        return moves.first { $0.isUnderWay }?.id
    }
}
