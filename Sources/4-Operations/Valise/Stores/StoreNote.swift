import ValiseEncoding

/// What is told of a store.
package enum StoreNote: OperationNote {
    /// A verification cannot be written down here.
    case notRemembered(any Error)
    /// The server does not bind writes to what was read: two that write at once may overwrite each other.
    case withoutConditions(String)
    /// Encrypted files whose content was not looked at.
    case withoutKey(Int)

    package var text: String {
        switch self {
        case .notRemembered(let error): "what was done with the store could not be recorded: \(error)"
        case .withoutConditions(let place):
            "the server of \(place) does not support conditional writes: devices that write at the same time can "
                + "overwrite each other's files"
        case .withoutKey(let count):
            "no key was given for \(Count.text(count, "encrypted file")): only chunks were verified"
        }
    }

    /// Whether something may be lost.
    package var isWarning: Bool {
        switch self {
        case .notRemembered, .withoutConditions: true
        case .withoutKey: false
        }
    }
}
