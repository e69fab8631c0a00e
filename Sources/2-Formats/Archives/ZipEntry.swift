/// How the bytes of an entry lie in the archive.
package enum ZipMethod: UInt16, Sendable {
    case stored = 0
    case deflated = 8
}

/// One entry as the central directory tells it, after every check.
package struct ZipEntry: Sendable, Equatable {
    /// The path, `/` between its components, without a slash at its end.
    package let name: String
    package let isFolder: Bool
    package let method: ZipMethod
    /// In bytes, as they lie in the archive.
    package let compressedSize: Int64
    /// In bytes, unpacked.
    package let size: Int64
    package let checksum: UInt32
    /// When the content was last changed; nil where the archive does not tell.
    package internal(set) var modified: EntryTime?
    let localOffset: Int64
    let flags: UInt16

    /// The name as the archive has it, with the slash of a folder.
    var rawName: [UInt8] { Array(name.utf8) + (isFolder ? [UInt8(ascii: "/")] : []) }

    var hasDescriptor: Bool { flags & 0x8 != 0 }
}

/// How far a reader trusts an archive's claims.
public struct ZipLimits: Sendable, Codable {
    /// The most entries. Each takes some 250 bytes of memory.
    package var entries: Int
    /// The most unpacked bytes of all entries together.
    package var totalSize: Int64
    /// How many times larger than packed an entry of more than 16 MiB may be. Deflate ends at 1,032.
    package var ratio: Int64

    /// - Parameters:
    ///   - entries: the most entries.
    ///   - totalSize: the most unpacked bytes of all of them.
    ///   - ratio: how many times its packed size an entry may have.
    public init(entries: Int = 200_000, totalSize: Int64 = .max, ratio: Int64 = 200) {
        self.entries = entries
        self.totalSize = totalSize
        self.ratio = ratio
    }

    /// Up to here, in bytes, an entry may grow as it likes.
    private static let freeSize: Int64 = 16 << 20

    /// Whether an entry grows more than is allowed.
    package func isExceeded(by size: Int64, compressedSize: Int64) -> Bool {
        size > Self.freeSize && size / ratio > compressedSize
    }
}
