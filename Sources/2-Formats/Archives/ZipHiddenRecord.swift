import ValiseEncoding
import ValiseFiles

/// Something in the bytes of an archive that looks like a part of it, and that its directory does not name. A reader that
/// goes through the bytes sees another archive than one that goes by the directory.
package struct ZipHiddenRecord: Sendable, Equatable, Codable {
    package enum Kind: String, Sendable, Codable {
        /// The header of an entry, between or before the others.
        case entry
        /// An entry of a second directory.
        case directory
        /// The mark of an end record, in the comment or elsewhere.
        case end
    }

    package let kind: Kind
    /// Where it begins in the file, in bytes.
    package let offset: Int64
    /// Of an entry, as far as it can be read; control characters are escaped.
    package let name: String?

    /// More are not counted: one is enough to be refused.
    static let most = 1000

    /// What it is, without a full stop.
    package var sentence: String {
        switch kind {
        case .entry:
            "an entry not listed in the directory\(name.map { " ('\($0)')" } ?? "") is at byte \(offset)"
        case .directory:
            "a second directory, not the archive's, is at byte \(offset)"
        case .end:
            "a second end-of-directory record is at byte \(offset)"
        }
    }
}

/// Looks through the bytes of an archive that belong to no entry.
struct ZipHiddenSearch {
    private(set) var found: [ZipHiddenRecord] = []

    private static let step = 256 << 10
    private static let longestShown = 200

    /// - Parameter range: bytes that nothing names.
    /// - Throws: ``FileError``.
    mutating func look(into range: Range<Int64>, _ file: borrowing OpenFile) throws {
        var offset = range.lowerBound
        while offset + 4 <= range.upperBound, found.count < ZipHiddenRecord.most {
            let bytes = try file.bytes(
                at: offset, count: Int(min(Int64(Self.step), range.upperBound - offset)))
            guard bytes.count >= 4 else { return }
            for (position, kind) in Self.marks(in: bytes) where found.count < ZipHiddenRecord.most {
                let place = offset + Int64(position)
                found.append(
                    ZipHiddenRecord(
                        kind: kind, offset: place,
                        name: kind == .entry ? try Self.name(at: place, in: range, file) : nil))
            }
            // A mark may lie across the border.
            offset += Int64(bytes.count - 3)
        }
    }

    private static func marks(in bytes: [UInt8]) -> [(Int, ZipHiddenRecord.Kind)] {
        var marks: [(Int, ZipHiddenRecord.Kind)] = []
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var position = 0
            while position + 4 <= bytes.count {
                guard unsafe bytes[position] == 0x50, unsafe bytes[position + 1] == 0x4b else {
                    position += 1
                    continue
                }
                switch unsafe (bytes[position + 2], bytes[position + 3]) {
                case (3, 4): marks.append((position, .entry))
                case (1, 2): marks.append((position, .directory))
                case (5, 6): marks.append((position, .end))
                default: break
                }
                position += 2
            }
        }
        return marks
    }

    private static func name(
        at offset: Int64, in range: Range<Int64>, _ file: borrowing OpenFile
    ) throws -> String? {
        let header = try file.bytes(at: offset, count: 30)
        guard header.count == 30 else { return nil }
        let length = Int64(header[26]) | Int64(header[27]) << 8
        let count = Int(min(length, range.upperBound - offset - 30, Int64(longestShown)))
        guard count > 0 else { return nil }
        return String(decoding: try file.bytes(at: offset + 30, count: count), as: UTF8.self).escaped
    }
}
