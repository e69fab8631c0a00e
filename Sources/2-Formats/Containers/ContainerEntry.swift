/// One entry of a container, after every check.
package struct ContainerEntry: Sendable, Equatable {
    /// The path, `/` between its components, without a slash at its end.
    package let name: String
    package let isFolder: Bool
    /// In bytes.
    package let size: Int64
    /// In seconds since 1970; nil where the archive does not tell.
    package let modified: Int64?
}

/// The kinds of entries, in numbers of libarchive's own.
enum EntryType {
    static let file: UInt32 = 0o100000
    static let folder: UInt32 = 0o040000
    static let symbolicLink: UInt32 = 0o120000
}
