package import ValiseAccounts
import ValiseEncoding

extension FoundAccount {
    /// What is to be known of it besides its place, in a few words.
    package var stateText: String {
        var parts: [String] = []
        switch backup {
        case .encrypted: parts.append("in an encrypted backup")
        case .unencrypted: parts.append("in a backup")
        case nil: break
        }
        if isRetired { parts.append("retired, moved to another machine") }
        if isReadOnly { parts.append("read-only copy") }
        if files.isEmpty { parts.append("no databases") } else { parts += databaseTexts }
        if isInterrupted { parts.append("interrupted operation") }
        if let inUse { parts.append("in use by \(inUse)") }
        if let problem { parts.append(problem) }
        return parts.joined(separator: "; ")
    }

    private var databaseTexts: [String] {
        var parts = missing.map { "\($0.rawValue) database missing" }
        if backup == .encrypted { return parts }
        switch encryption {
        case .encrypted: parts.insert("encrypted", at: 0)
        case .unencrypted: parts.insert("not encrypted", at: 0)
        case .unknown: parts.insert("encryption unknown", at: 0)
        }
        return parts
    }
}

extension FoundAccounts {
    /// What was not looked at, or not found there, in sentences for the user.
    package var remarks: [String] {
        var remarks: [String] = []
        if let first = otherBackups.first {
            let others = otherBackups.count > 1 ? " and \(otherBackups.count - 1) more" : ""
            remarks.append("the iOS backup \(first)\(others) contains no account")
        }
        if let first = unreadable.first {
            let count = Count.text(unreadableCount, "folder")
            remarks.append("\(count) could not be read, such as \(first)")
        }
        if !isComplete { remarks.append("the search stopped at its limit: search a smaller folder") }
        return remarks
    }
}
