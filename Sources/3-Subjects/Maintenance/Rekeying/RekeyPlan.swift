package import ValiseAccounts
import ValiseEncoding
import ValiseFailures

/// From which state of encryption a change leads to which.
package enum RekeyConversion: String, Sendable, Codable {
    /// From one passphrase to another: page by page.
    case rekey
    /// From no encryption to a passphrase.
    case encrypt
    /// From a passphrase to no encryption.
    case decrypt
    /// Neither is encrypted nor shall be.
    case none
}

/// What a passphrase change will do.
package struct RekeyPlan: Sendable {
    package let conversion: RekeyConversion
    /// The databases as they are.
    package let files: [AccountDatabase: DatabaseFile]
    /// In bytes, while the previous databases and the new ones both exist.
    package let spaceNeeded: Int64
    /// In bytes.
    package let freeSpace: Int64
    /// Copies that the official programs left. They open with a previous passphrase.
    package let olderCopies: [String]

    private static let air: Int64 = 1 << 20

    init(conversion: RekeyConversion, files: [AccountDatabase: DatabaseFile], freeSpace: Int64) {
        self.conversion = conversion
        self.files = files
        self.freeSpace = freeSpace
        let sizes = files.values.reduce(0) { $0 + $1.size }
        // SQLCipher's own export may write somewhat more than there was: each page has 80 bytes less space.
        spaceNeeded = (conversion == .encrypt ? sizes + sizes / 20 : sizes) + Self.air
        olderCopies = AccountDatabase.allCases.flatMap { files[$0]?.copies ?? [] }
    }

    func checkSpace(_ location: AccountLocation) throws {
        guard freeSpace < spaceNeeded else { return }
        throw RekeyError.writing(
            .noSpace,
            "the new databases need \(Count.bytes(spaceNeeded)), but only \(Count.bytes(freeSpace)) "
                + "are free. Nothing was changed.",
            location.directory, remedy: .freeSpace(spaceNeeded, in: location.directory))
    }
}

/// What a passphrase change did.
package struct RekeyReport: Sendable {
    /// What was done.
    package let plan: RekeyPlan
    /// False for a dry run, and where the new passphrase is the current one.
    package let changed: Bool
    /// Whether the previous databases stay as `.bak`.
    package let keepsBackup: Bool
    /// What an earlier run had left.
    package let recovery: AccountRecovery?
    package let seconds: Double
}
