package import SystemPackage

/// What kind of thing a directory entry is.
package enum FileKind: Sendable, Equatable {
    case regular
    case directory
    case symbolicLink
    /// A device, a pipe or a socket.
    case special
}

/// What the system says of a file without opening it. Symbolic links are not followed.
package struct FileAttributes: Sendable, Equatable {
    package let kind: FileKind
    /// In bytes.
    package let size: Int64
    /// The permission bits, without the kind.
    package let permissions: FilePermissions
    /// The number of the user to whom it belongs.
    package let owner: UInt32
    /// The number of the group to which it belongs.
    package let group: UInt32
    /// Modification time, seconds since 1970.
    package let modificationTime: Int64
    /// The rest of the modification time, in nanoseconds.
    package let modificationNanoseconds: Int64
    /// When the content or any of these last changed, in seconds since 1970. Nobody can set it.
    package let changeTime: Int64
    /// The rest of the change time, in nanoseconds.
    package let changeNanoseconds: Int64
    /// How many names the file has.
    package let links: Int
    /// Which file system it lies on.
    package let device: UInt64
    /// Which file it is there.
    package let inode: UInt64

    /// Whether its permissions let nobody but the owner read or change it, and nobody run it.
    package var isPrivateFile: Bool { permissions.subtracting(.ownerReadWrite).isEmpty }

    /// Whether both are of one file, whatever its names are.
    package func isSameFile(as other: FileAttributes) -> Bool {
        identity == other.identity
    }

    /// Whether the same file has the same size and modification time as before.
    package func isUnchanged(since before: FileAttributes) -> Bool {
        isSameFile(as: before) && size == before.size && modificationTime == before.modificationTime
            && modificationNanoseconds == before.modificationNanoseconds
    }
}

/// Which file something is, whatever names it has.
package struct FileIdentity: Sendable, Hashable {
    /// The file system.
    package let device: UInt64
    /// The file there.
    package let inode: UInt64
}

extension FileAttributes {
    /// Which file it is.
    package var identity: FileIdentity { FileIdentity(device: device, inode: inode) }
}

/// One name in a folder.
package struct DirectoryEntry: Sendable, Equatable {
    /// The bytes of the name. Linux takes any, so they need not be UTF-8.
    package let nameBytes: [UInt8]
    package let kind: FileKind

    /// The name as text, or nil where its bytes are not UTF-8.
    package var name: String? { String(validating: nameBytes, as: UTF8.self) }
}
