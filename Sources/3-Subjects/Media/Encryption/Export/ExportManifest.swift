import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// `manifest.jsonl` of an export: one line for each exported file, appended when the file is in place.
///
/// Lines stay on disk; of each, two numbers are kept in memory for what is asked of them.
final class ExportManifest {
    static let fileName = "manifest.jsonl"

    private let path: FilePath
    private let fileSystem: FileSystem
    private var file: OpenFile?
    /// Where the next line goes.
    private var end: Int64 = 0
    /// The place of the last line of a row, by a hash of what it is known by.
    private var lines: [Int: Int64] = [:]
    /// The place of the line with the first file of a content, by the start of its SHA-256.
    private var contents: [UInt64: Int64] = [:]

    /// JSON sorts its keys, and every line has this one.
    private static let start = "{\"chat\":"
    /// Far longer than any line of ours.
    private static let longestLine = 1 << 20
    private static let readSize = 1 << 20

    /// Reads what previous runs wrote.
    ///
    /// - Parameter note: gets each line.
    /// - Throws: ``MediaEncryptionError`` with `alreadyExists` for a file that is no manifest; ``FileError``.
    init(_ folder: FilePath, _ fileSystem: FileSystem, note: (MediaExportEntry) -> Void) throws {
        path = folder.appending(Self.fileName)
        self.fileSystem = fileSystem
        guard try fileSystem.exists(path) else { return }
        try read(try fileSystem.openForReading(path), note)
    }

    /// Makes ready for appending; cuts off a line that a killed run did not finish.
    /// - Throws: ``FileError``.
    func open() throws {
        let opened = try fileSystem.openOrCreate(path)
        if try opened.size() > end { try opened.truncate(to: end) }
        try opened.seek(to: end)
        file = consume opened
    }

    // MARK: Reading

    private func read(_ file: borrowing OpenFile, _ note: (MediaExportEntry) -> Void) throws {
        var pending: [UInt8] = []
        var offset: Int64 = 0
        while true {
            let bytes = try file.bytes(at: offset, count: Self.readSize)
            if bytes.isEmpty { break }
            offset += Int64(bytes.count)
            pending += bytes
            var start = 0
            while let line = pending[start...].firstIndex(of: UInt8(ascii: "\n")) {
                try take(pending[start..<line], note)
                start = line + 1
            }
            pending.removeFirst(start)
            guard pending.count <= Self.longestLine else { throw foreign }
        }
        // What is left is a line that was not finished.
        guard end > 0 || pending.starts(with: Self.start.utf8) || Self.start.utf8.starts(with: pending)
        else { throw foreign }
    }

    private func take(_ bytes: ArraySlice<UInt8>, _ note: (MediaExportEntry) -> Void) throws {
        let isFirst = end == 0
        do {
            let entry = try JSONText.decode(MediaExportEntry.self, from: Array(bytes))
            index(entry)
            note(entry)
        } catch {
            // A power cut may leave zeros; that file will be found without a line, and get one.
            guard !isFirst else { throw foreign }
        }
        end += Int64(bytes.count) + 1
    }

    private var foreign: MediaEncryptionError {
        MediaEncryptionError(
            .alreadyExists, "not an export manifest. Nothing was changed.", subject: path.string,
            remedy: .chooseAnotherFolder)
    }

    private func index(_ entry: MediaExportEntry) {
        lines[Self.key(entry.fileId, entry.name, entry.size)] = end
        // A later one comes where the user changed the first one.
        if entry.duplicateOf == nil, let key = Self.key(entry.sha256) { contents[key] = end }
    }

    private static func key(_ fileID: Int64, _ name: String, _ size: Int64) -> Int {
        var hasher = Hasher()
        hasher.combine(fileID)
        hasher.combine(name)
        hasher.combine(size)
        return hasher.finalize()
    }

    private static func key(_ digest: String) -> UInt64? { UInt64(digest.prefix(16), radix: 16) }

    private func line(at offset: Int64) throws -> MediaExportEntry {
        var count = 4096
        while true {
            let bytes =
                if file == nil {
                    try fileSystem.openForReading(path).bytes(at: offset, count: count)
                } else {
                    try file!.bytes(at: offset, count: count)
                }
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                return try JSONText.decode(MediaExportEntry.self, from: Array(bytes[..<end]))
            }
            guard bytes.count == count, count <= Self.longestLine else { throw foreign }
            count *= 4
        }
    }

    // MARK: Asking

    /// The last line of a file.
    /// - Parameters:
    ///   - name: as ``MediaExportEntry/recorded(_:)`` has it.
    ///   - size: of the content, in bytes.
    /// - Throws: ``FileError``; an error of the decoder where the manifest was changed meanwhile.
    func find(_ fileID: Int64, name: String, size: Int64) throws -> MediaExportEntry? {
        guard let offset = lines[Self.key(fileID, name, size)] else { return nil }
        let entry = try line(at: offset)
        return entry.fileId == fileID && entry.name == name && entry.size == size ? entry : nil
    }

    /// The first file with this content.
    /// - Throws: as ``find(_:name:size:)``.
    func first(withDigest digest: String) throws -> MediaExportEntry? {
        guard let offset = Self.key(digest).flatMap({ contents[$0] }) else { return nil }
        let entry = try line(at: offset)
        return entry.sha256 == digest ? entry : nil
    }

    // MARK: Writing

    /// Adds a line, where it does not have it yet. The file that it tells of is in place.
    /// - Throws: ``FileError``.
    func append(_ entry: MediaExportEntry) throws {
        // The file was taken away, or a power cut lost it, and came again.
        if try find(entry.fileId, name: entry.name, size: entry.size) == entry { return }
        let bytes = try JSONText.encodeBytes(entry) + [UInt8(ascii: "\n")]
        do {
            try file?.write(bytes)
        } catch {
            // So that what was written of it does not stay.
            try? file?.truncate(to: end)
            throw error
        }
        index(entry)
        end += Int64(bytes.count)
    }
}
