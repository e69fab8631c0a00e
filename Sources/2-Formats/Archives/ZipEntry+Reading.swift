import SystemPackage
import ValiseEncoding
package import ValiseFiles

extension ZipEntry {
    /// The entry's unpacked bytes, read at any place without unpacking it anywhere.
    ///
    /// The entry's checksum is not looked at: use it for content that carries its own.
    ///
    /// - Parameter archive: the file that the checked index was read from.
    /// - Throws: ``ZipError``; errors of the source.
    package func source(in archive: any ByteSource) throws -> any ByteSource {
        let packed = try packedSource(in: archive)
        switch method {
        case .stored: return packed
        case .deflated: return try Self.inflated(packed, size: size, entry: name)
        }
    }

    static func inflated(_ packed: any ByteSource, size: Int64, entry: String) throws -> any ByteSource {
        if size >= outlined, let outline = try DeflateOutline(packed, size: size) {
            return OutlinedSource(outline, path: packed.path)
        }
        return try InflatedSource(packed, size: size, entry: entry)
    }

    /// From this size on, in bytes, it is worth a look whether an entry is only a chain of stored blocks.
    private static let outlined: Int64 = 1 << 20

    /// The entry's bytes as they lie in the archive.
    ///
    /// - Parameter archive: the file that the checked index was read from.
    /// - Throws: ``ZipError``; errors of the source.
    package func packedSource(in archive: any ByteSource) throws -> any ByteSource {
        try packedBytes(in: archive, path: archive.path.appending(name))
    }

    /// The same for who needs no name of its own: to make one of a long path takes longer than to unpack little.
    func packedBytes(in archive: any ByteSource, path: FilePath? = nil) throws -> any ByteSource {
        let start = try dataOffset(archive)
        return PartialSource(start..<start + compressedSize, of: archive, path: path ?? archive.path)
    }

    /// Where the data begin: the local header has a name and extra fields of its own length.
    private func dataOffset(_ archive: any ByteSource) throws -> Int64 {
        let header = try archive.bytes(at: localOffset, upTo: 30)
        guard header.count == 30 else {
            throw ZipError.damaged(.truncated, "the archive ends inside this entry", entry: name)
        }
        var reader = ByteReader(header[26...])
        let nameLength = try reader.littleEndian(UInt16.self)
        let extraLength = try reader.littleEndian(UInt16.self)
        return localOffset + Int64(header.count) + Int64(nameLength) + Int64(extraLength)
    }
}
