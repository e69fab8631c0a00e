/// The status of an item, as the column `item_status` has it.
package enum ItemStatus: Sendable, Hashable {
    case sndNew
    case sndSent(Progress)
    case sndRcvd(Receipt, Progress)
    /// Before there were other errors.
    case sndErrorAuth
    case sndError(DeliveryError)
    case sndWarning(DeliveryError)
    /// Not read yet.
    case rcvNew
    case rcvRead
    /// Anything else, complete.
    case invalid(String)

    /// Whether all members of a group have it.
    package enum Progress: String, Sendable {
        case partial, complete
    }

    /// What a receipt says of the message before.
    package enum Receipt: String, Sendable {
        case ok, badMsgHash
    }

    /// Never fails: a text of no known form is invalid.
    package init(parsing text: String) { self = Self.known(text) ?? .invalid(text) }

    private static func known(_ text: String) -> Self? {
        switch text {
        case "rcv_read": return .rcvRead
        case "rcv_new": return .rcvNew
        case "snd_new": return .sndNew
        case "snd_sent": return .sndSent(.complete)
        case "snd_error_auth": return .sndErrorAuth
        default: break
        }
        if let rest = text.after("snd_rcvd ") {
            let words = rest.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard let receipt = Receipt(rawValue: String(words[0])) else { return nil }
            // Old rows have no word of progress.
            guard words.count > 1 else { return .sndRcvd(receipt, .complete) }
            return Progress(rawValue: String(words[1])).map { .sndRcvd(receipt, $0) }
        }
        if let rest = text.after("snd_sent ") { return Progress(rawValue: String(rest)).map { .sndSent($0) } }
        if let rest = text.after("snd_error ") { return .sndError(DeliveryError(rest)) }
        return text.after("snd_warning ").map { .sndWarning(DeliveryError($0)) }
    }
}

extension ItemStatus {
    /// The direction that the status is for; nil where it is invalid.
    package var isSent: Bool? {
        switch self {
        case .sndNew, .sndSent, .sndRcvd, .sndErrorAuth, .sndError, .sndWarning: true
        case .rcvNew, .rcvRead: false
        case .invalid: nil
        }
    }

    /// Why it was not delivered, or not yet.
    package var error: DeliveryError? {
        switch self {
        case .sndErrorAuth: .auth
        case .sndError(let error), .sndWarning(let error): error
        default: nil
        }
    }
}
