public import SystemPackage
package import ValiseMaintenance
package import ValiseSecrets
package import ValiseTransfers

/// The source of a received account.
public enum MoveSource: Sendable {
    /// All links that the other machine shows, one for each part, in any order.
    case links([String])
    /// An account archive, such as on a USB stick. It is kept.
    case archive(FilePath)
}

/// What may be done when an account is received.
package struct ReceiveOptions: Sendable {
    /// Whose relays may be used.
    package var approval: RelayApproval
    /// Whose relays may be told that the account has arrived, where an earlier run received it; nil for ``approval``.
    package var receiptApproval: RelayApproval?
    /// Whether later runs of this move may use any relay too: the user has said so, and not only chosen a proxy.
    package var approvesRelays = false
    /// Whether an account that is in place is replaced. Its media that the archive does not have stay, and the words of
    /// both machines differ then.
    package var replacesAccount = false
    /// Whether one that is newer than what is received, or another one, may be lost by that.
    package var replacesNewer = false
    /// Whether relays are told that it was received, so that they forget this recipient's names of the chunks.
    package var acknowledges = true

    package init(approval: RelayApproval) {
        self.approval = approval
    }
}

/// What a user is asked while an account is received. Each may throw to stop the run; the same call goes on later, and
/// asks again only what was not answered.
package struct ReceiveQuestions: Sendable {
    /// Sees what the link says before any relay is asked; false stops, and nothing is received (`declined`).
    package var confirm: @Sendable (ReceiveInfo) async throws -> Bool = { _ in true }
    /// Gives the passphrase of the account; asked again, up to ``AccountMove/mostPassphraseTries`` times, when it was
    /// wrong. It is asked for in each run that needs it, as it is kept nowhere.
    ///
    /// The parameter is which try it is, from 1.
    package var passphrase: @Sendable (_ attempt: Int) async throws -> SharedSecret
    /// Sees which migrations the schema of the account needs; false leaves it as it is. What was before is kept until
    /// `migrate confirm`.
    package var upgradesSchema: @Sendable (AccountMigrationPlan) async throws -> Bool = { _ in false }
    /// Sees the network configuration that the link carries; false leaves it out.
    package var takesNetworkConfig: @Sendable (NetworkConfig) async throws -> Bool = { _ in false }

    package init(passphrase: @escaping @Sendable (_ attempt: Int) async throws -> SharedSecret) {
        self.passphrase = passphrase
    }
}
