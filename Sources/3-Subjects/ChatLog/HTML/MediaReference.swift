/// What an export has of the file of an item.
package struct MediaReference: Sendable, Equatable {
    /// How a page shows it. It follows from the content, not from the name.
    package enum Kind: String, Sendable {
        case picture, video, voice, file
    }

    /// Whether it can be shown.
    package enum State: String, Sendable {
        case present
        /// It should be there and is not.
        case missing
        /// It was never received completely.
        case unfinished
        case damaged
    }

    /// Below the folder of the export, with `/` between names that are not encoded; nil where there is no copy.
    package let path: String?
    package let kind: Kind
    package let state: State

    /// - Parameters:
    ///   - path: of the copy, below the folder of the export.
    ///   - kind: how it is shown.
    ///   - state: whether it can be.
    package init(path: String?, kind: Kind, state: State) {
        self.path = path
        self.kind = kind
        self.state = state
    }
}
