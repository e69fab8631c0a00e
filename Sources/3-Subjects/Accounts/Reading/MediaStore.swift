import SystemPackage
public import ValiseFiles

/// The media of an account: files of a folder, or entries of an archive.
public protocol MediaStore {
    /// What is to be found under a path of the database.
    /// - Throws: `FileError` where the system does not let us look.
    func find(_ path: String) throws -> MediaPlace
    /// All files there are, with their paths in the store.
    /// - Throws: `FileError`.
    func forEach(_ body: (_ name: String, _ size: Int64) throws -> Void) throws
    /// The bytes of a file.
    /// - Parameter name: as ``MediaPlace/file(name:size:)`` has it.
    /// - Throws: `FileError`; errors of the archive.
    func source(_ name: String) throws -> any ByteSource
}

/// What is to be found under a path of the database.
public enum MediaPlace: Sendable, Equatable {
    /// A regular file.
    /// - Parameters:
    ///   - name: its path in the store.
    ///   - size: in bytes.
    case file(name: String, size: Int64)
    /// Nothing is there.
    /// - Parameter name: where it should be in the store.
    case missing(name: String)
    /// The path leads out of the folder, to where the user left a file.
    case elsewhere
    /// A symbolic link, which nothing here follows.
    case link(name: String)
    /// A folder, a device or a pipe.
    case notAFile(name: String)
    /// No file of this file system can have the name.
    case impossibleName(String)

    /// The path in the store; nil for what lies elsewhere.
    package var name: String? {
        switch self {
        case .file(let name, _), .missing(let name), .link(let name), .notAFile(let name),
            .impossibleName(let name):
            name
        case .elsewhere: nil
        }
    }
}
