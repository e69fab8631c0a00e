import SystemPackage
import ValiseFiles

/// What a store had at some moment: a line for each index entry and each marker of a folder, in the order of their keys.
struct ListingLine: Sendable, Hashable {
    /// Tells two entries apart: 32 hexadecimal digits.
    let version: String
    /// Behind the prefix of the index.
    let text: String

    static let versionSize = 32

    /// - Returns: nil for another line.
    init?(_ line: ArraySlice<UInt8>) {
        guard line.count > Self.versionSize + 1,
            let text = String(validating: line.dropFirst(Self.versionSize + 1), as: UTF8.self)
        else { return nil }
        version = String(decoding: line.prefix(Self.versionSize), as: UTF8.self)
        self.text = text
    }

    init(version: String, text: String) {
        self.version = version
        self.text = text
    }

    var bytes: [UInt8] { Array("\(version) \(text)\n".utf8) }

    /// The folder that a marker is of; nil for an entry.
    var folder: String? {
        let marker = "/\(DirectoryMarker.name)"
        guard text.utf8.suffix(marker.utf8.count).elementsEqual(marker.utf8) else { return nil }
        return String(decoding: text.utf8.dropLast(marker.utf8.count), as: UTF8.self)
    }

    func comes(before other: ListingLine) -> Bool { text.utf8.lexicographicallyPrecedes(other.text.utf8) }

    func isSamePath(as other: ListingLine) -> Bool { text.utf8.elementsEqual(other.text.utf8) }

    /// Whether it lies in a folder.
    func isIn(_ folder: String) -> Bool { text.utf8.starts(with: "\(folder)/".utf8) }
}

/// The lines of a file, one at a time.
struct ListingLines: ~Copyable {
    private let file: OpenFile
    private var buffer: ArraySlice<UInt8> = []
    private var offset: Int64 = 0

    private static let piece = 64 << 10

    /// - Throws: `FileError`.
    init(_ path: FilePath, _ fileSystem: FileSystem) throws(FileError) {
        file = try fileSystem.openForReading(path)
    }

    /// The next one, nil at the end.
    /// - Throws: `FileError`; ``ContentStoreError``: `damaged`.
    mutating func next() throws -> ListingLine? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[..<end]
                buffer = buffer[(end + 1)...]
                guard let line = ListingLine(line) else { throw damaged }
                return line
            }
            // No path is longer than a piece.
            guard buffer.count <= Self.piece else { throw damaged }
            let more = try file.bytes(at: offset, count: Self.piece)
            if more.isEmpty {
                guard buffer.isEmpty else { throw damaged }
                return nil
            }
            offset += Int64(more.count)
            buffer = ArraySlice(Array(buffer) + more)
        }
    }

    private var damaged: ContentStoreError {
        ContentStoreError(.damaged, "the listing that was kept is damaged", file.path.string)
    }
}
