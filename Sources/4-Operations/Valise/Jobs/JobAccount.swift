import ValiseAccounts

/// The account of an operation.
struct JobAccount: Codable, Sendable, Equatable {
    private let directory: JobPath
    private let prefix: String
    private let style: AccountLocation.Style

    init(_ location: AccountLocation) {
        directory = JobPath(location.directory)
        prefix = location.prefix
        style = location.style
    }

    var location: AccountLocation {
        AccountLocation(directory: directory.path, prefix: prefix, style: style)
    }

    /// For titles: the folder, and the prefix where it is not the usual one.
    var name: String {
        prefix == AccountLocation.usualPrefix ? directory.absolute : "\(directory.absolute)/\(prefix)"
    }

    /// By which operations on the same account are told.
    var identity: String { "\(directory.absolute)/\(prefix)" }
}
