import ValiseEncoding

/// The four sizes that a chunk on an XFTP relay can have, in bytes.
package enum ChunkSize: Int64, Sendable, Codable, CaseIterable, Comparable {
    case kib64 = 65_536
    case kib256 = 262_144
    case mib1 = 1_048_576
    case mib4 = 4_194_304

    /// In bytes.
    package var bytes: Int64 { rawValue }

    /// Where a remainder is larger than this, one chunk of the size costs less than several smaller ones.
    var threeQuarters: Int64 { rawValue / 4 * 3 }

    /// The smallest size that holds so many bytes in one chunk, as descriptions that redirect need it; nil where
    /// none does.
    package static func single(holding bytes: Int64) -> ChunkSize? {
        allCases.first { $0.bytes >= bytes }
    }

    package static func < (left: ChunkSize, right: ChunkSize) -> Bool { left.rawValue < right.rawValue }
}

extension ChunkSize: CustomStringConvertible {
    /// Such as `65.5 kB`.
    package var description: String { Count.bytes(bytes) }
}
