/// The status of an item's file, as the column `ci_file_status` has it.
package enum FileStatus: Sendable, Hashable {
    case sndStored
    /// In bytes, or 0 of 1 where nothing says.
    case sndTransfer(done: Int64, total: Int64)
    case sndCancelled
    case sndComplete
    case sndError(TransferError)
    case sndWarning(TransferError)
    case rcvInvitation
    case rcvAccepted
    /// In bytes, or 0 of 1 where nothing says.
    case rcvTransfer(done: Int64, total: Int64)
    case rcvAborted
    case rcvComplete
    case rcvCancelled
    case rcvError(TransferError)
    case rcvWarning(TransferError)
    /// Anything else, complete.
    case invalid(String)

    /// Never fails: a text of no known form is invalid.
    package init(parsing text: String) {
        let space = text.firstIndex(of: " ")
        let rest = space.map { text[text.index(after: $0)...] }
        self = Self.known(text[..<(space ?? text.endIndex)], rest) ?? .invalid(text)
    }

    private static func known(_ word: Substring, _ rest: Substring?) -> Self? {
        switch word {
        case "snd_transfer": return numbers(rest).map { .sndTransfer(done: $0, total: $1) }
        case "rcv_transfer": return numbers(rest).map { .rcvTransfer(done: $0, total: $1) }
        case "snd_error": return .sndError(rest.map(TransferError.init) ?? .other(""))
        case "rcv_error": return .rcvError(rest.map(TransferError.init) ?? .other(""))
        case "snd_warning": return rest.map { .sndWarning(TransferError($0)) }
        case "rcv_warning": return rest.map { .rcvWarning(TransferError($0)) }
        default: break
        }
        // The others are one word.
        guard rest == nil else { return nil }
        switch word {
        case "snd_stored": return .sndStored
        case "snd_cancelled": return .sndCancelled
        case "snd_complete": return .sndComplete
        case "rcv_invitation": return .rcvInvitation
        case "rcv_accepted": return .rcvAccepted
        case "rcv_aborted": return .rcvAborted
        case "rcv_complete": return .rcvComplete
        case "rcv_cancelled": return .rcvCancelled
        default: return nil
        }
    }

    private static func numbers(_ rest: Substring?) -> (Int64, Int64)? {
        guard let rest else { return (0, 1) }
        let words = rest.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let done = Int64(words[0]), let total = Int64(words[1]), done >= 0, total >= 0
        else { return nil }
        return (done, total)
    }
}

extension FileStatus {
    /// Whether the file should be there. Only the files folder shows whether it is.
    package enum Presence: String, Sendable {
        case yes
        /// A beginning of it, or an empty file.
        case partial
        case no
    }

    /// What the status says: files that were sent are the user's own.
    package var presence: Presence {
        switch self {
        case .sndStored, .sndTransfer, .sndCancelled, .sndComplete, .sndError, .sndWarning, .rcvComplete: .yes
        case .rcvTransfer, .rcvWarning: .partial
        case .rcvInvitation, .rcvAccepted, .rcvAborted, .rcvCancelled, .rcvError, .invalid: .no
        }
    }
}

extension FileStatus {
    /// Why a file was not transferred, or not yet.
    package enum TransferError: Sendable, Hashable {
        case auth
        /// By the operator of a relay. The reason is `spam`, `content` or another word; the notice is JSON.
        case blocked(server: String, reason: String, notice: String?)
        case noFile
        case relay(DeliveryError.RelayError)
        /// Any text.
        case other(String)

        /// Reads what follows the word of a status. A text of no known form is kept.
        init(_ text: Substring) {
            self = Self.known(text) ?? .other(String(text.after("other ") ?? text))
        }

        private static func known(_ text: Substring) -> Self? {
            switch text {
            case "auth": return .auth
            case "no_file": return .noFile
            default: break
            }
            if let rest = text.after("relay ") { return DeliveryError.RelayError(rest).map { .relay($0) } }
            guard let rest = text.after("blocked "), let space = rest.firstIndex(of: " "),
                let details = rest[rest.index(after: space)...].after("reason=")
            else { return nil }
            let comma = details.firstIndex(of: ",") ?? details.endIndex
            let notice = details[comma...].after(",notice=")
            guard comma == details.endIndex || notice != nil else { return nil }
            return .blocked(
                server: String(rest[..<space]), reason: String(details[..<comma]),
                notice: notice.map(String.init)
            )
        }
    }
}
