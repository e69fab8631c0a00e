public import SystemPackage
public import ValiseAccounts

/// The path of a new file whose last component is a template, such as `backup-{date}.zip`, and its folders may be some.
public struct TemplatedPath: Sendable {
    /// With the values in place.
    public let path: FilePath
    package let template: NameTemplate
    package let values: NameTemplate.Values

    /// A path for a file of an account that is written now.
    ///
    /// - Parameters:
    ///   - path: its components may have `{date}`, `{time}` and `{account}`. A brace in the last one is written as `{{`.
    ///   - account: whose folder has the name for `{account}`.
    /// - Throws: ``OperationError`` with `invalid` for an unknown placeholder, and for a brace that is not closed.
    public init(_ path: FilePath, of account: AccountLocation) throws(OperationError) {
        try self.init(path, NameTemplate.Values(account))
    }

    /// - Throws: ``OperationError`` with `invalid` for a name that is no template.
    package init(_ path: FilePath, _ values: NameTemplate.Values) throws(OperationError) {
        self.values = values
        template = try Self.template(path)
        let folder = Self.folder(of: path, values)
        // A name without braces may have bytes that are no text.
        if Self.isLiteral(path), let name = path.lastComponent {
            self.path = folder.appending(name)
        } else {
            self.path = Self.isLiteral(path) ? path : folder.appending(template.name(values))
        }
    }

    /// The folder, with the values in place. A component without any of the placeholders is a name like others, whatever
    /// braces it has.
    private static func folder(of path: FilePath, _ values: NameTemplate.Values) -> FilePath {
        let folder = path.removingLastComponent()
        guard hasPlaceholders(in: folder) else { return folder }
        var expanded = FilePath(folder.root?.string ?? "")
        for component in folder.components {
            if let template = folderTemplate(component) {
                expanded.append(template.name(values))
            } else {
                expanded.append(component)
            }
        }
        return expanded
    }

    /// Whether a folder of the path has placeholders.
    package static func hasPlaceholders(in folder: FilePath) -> Bool {
        folder.components.contains { folderTemplate($0) != nil }
    }

    private static func folderTemplate(_ component: FilePath.Component) -> NameTemplate? {
        guard let template = try? NameTemplate(component.string),
            NameTemplate.Placeholder.allCases.contains(where: template.has)
        else { return nil }
        return template
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
