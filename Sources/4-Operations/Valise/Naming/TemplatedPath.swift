package import SystemPackage

/// The path of a new file whose last component is a template.
package struct TemplatedPath: Sendable {
    /// With the values in place.
    package let path: FilePath
    package let template: NameTemplate
    package let values: NameTemplate.Values

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
