public import SystemPackage

/// What kind of thing a directory entry is.
public enum FileKind: Sendable, Equatable {
    case regular
    case directory
    case symbolicLink
    /// A device, a pipe or a socket.
    case special
}

/// What the system says of a file without opening it. Symbolic links are not followed.
public struct FileAttributes: Sendable, Equatable {
    public let kind: FileKind
    /// In bytes.
    public let size: Int64
    /// The permission bits, without the kind.
    public let permissions: FilePermissions
    /// The number of the user to whom it belongs.
    public let owner: UInt32
    /// The number of the group to which it belongs.
    public let group: UInt32
    /// Modification time, seconds since 1970.
    public let modificationTime: Int64
    /// The rest of the modification time, in nanoseconds.
    public let modificationNanoseconds: Int64
    /// When the content or any of these last changed, in seconds since 1970. Nobody can set it.
    public let changeTime: Int64
    /// The rest of the change time, in nanoseconds.
    public let changeNanoseconds: Int64
    /// How many names the file has.
    public let links: Int
    /// Which file system it lies on.
    public let device: UInt64
    /// Which file it is there.
    public let inode: UInt64

    /// Whether both are of one file, whatever its names are.
    public func isSameFile(as other: FileAttributes) -> Bool {
        identity == other.identity
    }

    /// Whether the same file has the same size and modification time as before.
    public func isUnchanged(since before: FileAttributes) -> Bool {
        isSameFile(as: before) && size == before.size && modificationTime == before.modificationTime
            && modificationNanoseconds == before.modificationNanoseconds
    }
}

/// Which file something is, whatever names it has.
public struct FileIdentity: Sendable, Hashable {
    /// The file system.
    public let device: UInt64
    /// The file there.
    public let inode: UInt64
}

extension FileAttributes {
    /// Which file it is.
    public var identity: FileIdentity { FileIdentity(device: device, inode: inode) }
}

/// One name in a folder.
public struct DirectoryEntry: Sendable, Equatable {
    /// The bytes of the name. Linux takes any, so they need not be UTF-8.
    public let nameBytes: [UInt8]
    public let kind: FileKind

    /// The name as text, or nil where its bytes are not UTF-8.
    public var name: String? { String(validating: nameBytes, as: UTF8.self) }
}
