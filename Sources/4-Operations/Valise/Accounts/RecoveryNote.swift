package import ValiseAccounts
import ValiseConcurrency

/// What an interrupted run had left of an account was completed or cleaned up.
package struct RecoveryNote: OperationNote {
    package let recovery: AccountRecovery

    package var text: String { recovery.done.sentence }

    init?(_ recovery: AccountRecovery?) {
        guard let recovery else { return nil }
        self.recovery = recovery
    }
}

extension OperationContext {
    /// Tells of what was recovered; nil for nothing.
    func note(_ note: RecoveryNote?) {
        if let note { events(.note(note)) }
    }
}
