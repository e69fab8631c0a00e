public import SystemPackage
public import ValiseAccounts

/// The path of a new file whose last component is a template, such as `backup-{date}.zip`.
public struct TemplatedPath: Sendable {
    /// With the values in place.
    public let path: FilePath
    package let template: NameTemplate
    package let values: NameTemplate.Values

    /// A path for a file of an account that is written now.
    ///
    /// - Parameters:
    ///   - path: its last component may have `{date}`, `{time}` and `{account}`. A brace is written as `{{`.
    ///   - account: whose folder has the name for `{account}`.
    /// - Throws: ``OperationError`` with `invalid` for an unknown placeholder, and for a brace that is not closed.
    public init(_ path: FilePath, of account: AccountLocation) throws(OperationError) {
        try self.init(path, NameTemplate.Values(account))
    }

    /// - Throws: ``OperationError`` with `invalid` for a name that is no template.
    package init(_ path: FilePath, _ values: NameTemplate.Values) throws(OperationError) {
        self.values = values
        template = try Self.template(path)
        // A name without braces may have bytes that are no text.
        self.path =
            Self.isLiteral(path)
            ? path : path.removingLastComponent().appending(template.name(values))
    }

    /// The template that a path's last component is.
    /// - Throws: as ``init(_:_:)``.
    package static func template(_ path: FilePath) throws(OperationError) -> NameTemplate {
        try NameTemplate(path.lastComponent?.string ?? "")
    }

    private static func isLiteral(_ path: FilePath) -> Bool {
        path.lastComponent?.string.unicodeScalars.contains("{") != true
    }
}
