import ValiseAccounts
import ValiseDatabase
import ValiseEncoding
package import ValiseMaintenance
import ValisePages

extension DatabaseStatus {
    /// Whether and how it is encrypted, and what is seen of damage.
    package var encryption: String {
        switch form {
        case .missing: return "missing"
        case .empty: return isDamaged ? "damaged" : "empty file"
        case .unknown: return isDamaged ? "damaged" : "not a database"
        case .unencrypted: return isDamaged ? "not encrypted, damaged" : "not encrypted"
        case .encrypted: break
        }
        switch access {
        case .opened:
            guard let cipher else { return "encrypted" }
            let form =
                cipher.isDefault
                ? "encrypted, SQLCipher 4 defaults"
                : "encrypted, \(cipher.pageSize)-byte pages, \(Count.text(cipher.kdfIterations, "iteration"))"
            return isDamaged ? "\(form), damaged" : form
        case .refused: return isDamaged ? "encrypted, damaged" : "encrypted, wrong passphrase"
        case .failed: return isDamaged ? "encrypted, damaged" : "encrypted, not opened"
        case .noPassphrase, .notNeeded, .noDatabase:
            return "encrypted or damaged; unknown without the passphrase"
        }
    }
}

extension AccountStatus.FolderStatus {
    /// How much is in it.
    package var text: String {
        exists ? "\(Count.text(files, "file")), \(Count.bytes(size))" : "no folder"
    }
}
