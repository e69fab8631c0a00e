import ValiseEncoding

/// What a server is asked for: the packets of SFTP version 3 that a repository needs.
///
/// Source: draft-ietf-secsh-filexfer-02, and OpenSSH's file `PROTOCOL` for what ends with `@openssh.com`.
enum SFTPRequest: Sendable {
    /// What a file is opened for.
    enum Mode: Sendable {
        /// It exists.
        case reading
        /// It does not exist, and is made for this user alone.
        case creating
    }

    case open(String, Mode)
    case close(SFTPHandle)
    case read(SFTPHandle, offset: UInt64, count: UInt32)
    case write(SFTPHandle, offset: UInt64, ArraySlice<UInt8>)
    /// Of what a link leads to.
    case stat(String)
    /// Of a link itself.
    case linkStat(String)
    case openFolder(String)
    case readFolder(SFTPHandle)
    /// For this user alone.
    case makeFolder(String)
    case remove(String)
    /// Fails where the new name exists; with servers that are not as strict it replaces.
    case rename(String, to: String)
    /// Replaces what has the new name.
    case replace(String, by: String)
    /// Another name for the same file, which fails where that exists.
    case link(String, to: String)
    /// Makes a file durable.
    case flush(SFTPHandle)
    /// How much is free.
    case fileSystem(String)

    /// The packet that a connection begins with.
    static let greeting: [UInt8] = [0, 0, 0, 5, 1, 0, 0, 0, 3]

    /// Bytes of one request to read or write. Every server takes 32 KiB.
    static let transferSize = 32 << 10

    /// The whole packet.
    func encoded(_ id: UInt32) -> [UInt8] {
        var packet = SFTPPacket(type, id)
        switch self {
        case .open(let path, let mode):
            packet.append(path)
            packet.append(mode == .reading ? Flags.read : Flags.write | Flags.create | Flags.exclusive)
            packet.append(permissions: mode == .reading ? nil : 0o600)
        case .close(let handle), .readFolder(let handle): packet.append(handle.bytes)
        case .read(let handle, let offset, let count):
            packet.append(handle.bytes)
            packet.append(offset)
            packet.append(count)
        case .write(let handle, let offset, let content):
            packet.append(handle.bytes)
            packet.append(offset)
            packet.append(content)
        case .stat(let path), .linkStat(let path), .openFolder(let path), .remove(let path):
            packet.append(path)
        case .makeFolder(let path):
            packet.append(path)
            packet.append(permissions: 0o700)
        case .rename(let old, let new):
            packet.append(old)
            packet.append(new)
        case .replace(let new, let old):
            packet.append(SFTPExtension.replacing.rawValue)
            packet.append(old)
            packet.append(new)
        case .link(let old, let new):
            packet.append(SFTPExtension.linking.rawValue)
            packet.append(old)
            packet.append(new)
        case .flush(let handle):
            packet.append(SFTPExtension.flushing.rawValue)
            packet.append(handle.bytes)
        case .fileSystem(let path):
            packet.append(SFTPExtension.freeSpace.rawValue)
            packet.append(path)
        }
        return packet.completed()
    }

    private enum Flags {
        static let read: UInt32 = 1
        static let write: UInt32 = 2
        static let create: UInt32 = 8
        static let exclusive: UInt32 = 0x20
    }

    private var type: UInt8 {
        switch self {
        case .open: 3
        case .close: 4
        case .read: 5
        case .write: 6
        case .linkStat: 7
        case .openFolder: 11
        case .readFolder: 12
        case .remove: 13
        case .makeFolder: 14
        case .stat: 17
        case .rename: 18
        case .replace, .link, .flush, .fileSystem: 200
        }
    }
}

/// What a server calls an open file or folder.
struct SFTPHandle: Sendable, Hashable {
    let bytes: [UInt8]
}

/// What not every server has.
enum SFTPExtension: String, Sendable, CaseIterable {
    case replacing = "posix-rename@openssh.com"
    case linking = "hardlink@openssh.com"
    case flushing = "fsync@openssh.com"
    case freeSpace = "statvfs@openssh.com"
}

/// A packet that is being written.
private struct SFTPPacket {
    private var bytes: [UInt8] = []

    init(_ type: UInt8, _ id: UInt32) {
        bytes = [0, 0, 0, 0, type]
        bytes.append(bigEndian: id)
    }

    mutating func append(_ number: UInt32) { bytes.append(bigEndian: number) }

    mutating func append(_ number: UInt64) { bytes.append(bigEndian: number) }

    mutating func append(_ text: String) {
        append(UInt32(truncatingIfNeeded: text.utf8.count))
        bytes += text.utf8
    }

    mutating func append(_ content: some Collection<UInt8>) {
        append(UInt32(truncatingIfNeeded: content.count))
        bytes += content
    }

    /// Attributes of something new; nil for those that the server gives.
    mutating func append(permissions: UInt32?) {
        append(permissions == nil ? 0 : SFTPAttributes.Flags.permissions)
        if let permissions { append(permissions) }
    }

    /// With its length at its beginning.
    consuming func completed() -> [UInt8] {
        let count = UInt32(truncatingIfNeeded: bytes.count - 4)
        for place in 0..<4 { bytes[place] = UInt8(truncatingIfNeeded: count >> UInt32(24 - 8 * place)) }
        return bytes
    }
}
