import ValiseArchives
import ValiseContainers
import ValiseFiles

/// What kind of archive an export writes.
public enum ExportFormat: String, Sendable, Codable, CaseIterable {
    /// What the official apps import.
    case zip
    /// A tar, for other tools. It is not compressed.
    case tar
    /// A tar, compressed with Zstandard.
    case tarZstd = "tar.zst"

    /// The format that the ending of a name asks for; nil where it asks for none.
    package init?(endingOf name: String) {
        let name = name.lowercased()
        if name.hasSuffix(".tar") {
            self = .tar
        } else if name.hasSuffix(".tar.zst") || name.hasSuffix(".tzst") {
            self = .tarZstd
        } else if name.hasSuffix(".zip") {
            self = .zip
        } else {
            return nil
        }
    }

    /// The ending of a name by which it is another kind of archive; nil for none that is known.
    package static func foreignEnding(of name: String) -> String? {
        let name = name.lowercased()
        return foreignEndings.first { name.hasSuffix($0) }
    }

    /// Whether an ending of another kind is that of a compressed tar.
    package static func isOfTar(_ ending: String) -> Bool {
        ending.hasPrefix(".tar.") || ending == ".tgz" || ending == ".txz"
    }

    // The longer ones first.
    private static let foreignEndings = [
        ".tar.gz", ".tar.xz", ".tar.bz2", ".tgz", ".txz", ".7z", ".rar", ".cpio", ".gz", ".xz",
    ]
}

/// Which file an entry was made of.
enum AddedFile {
    case database
    /// As it was before it was read, and behind that.
    case file(before: FileAttributes, after: FileAttributes)
    /// The entry has not all of it, or nobody looked.
    case incomplete
}

/// Takes the entries of an export, one after the other.
protocol ExportEntries {
    /// Whether it wants to know which files the entries are made of.
    var tracksFiles: Bool { get }

    /// Called for each entry, behind ``add(_:size:modificationTime:method:next:afterEach:)``.
    func added(from file: AddedFile)

    /// Takes over what an earlier run had written of the first ones of these, behind the databases that were added.
    ///
    /// - Parameters:
    ///   - sources: all that is still to be added.
    ///   - fileSystem: where they are.
    ///   - progress: gets how many bytes of them were done; throw to stop.
    /// - Returns: nil where no earlier run left anything.
    func takeOver(
        _ sources: ArraySlice<ExportSource>, _ fileSystem: FileSystem, _ progress: (Int64) throws -> Void
    ) throws -> TakenEntries?

    /// - Parameters:
    ///   - method: how the bytes of one entry are packed, where that is a choice.
    /// - Returns: the bytes that came; fewer than `size` when the source shrank.
    func add(
        _ name: String, size: Int64, modificationTime: Int64, method: ZipMethod,
        next: (UnsafeMutableRawBufferPointer) throws -> Int, afterEach: () throws -> Void
    ) throws -> Int64

    /// - Returns: the archive's size in bytes.
    func finish() throws -> Int64
}

extension ExportEntries {
    var tracksFiles: Bool { false }

    func added(from file: AddedFile) {}

    func takeOver(
        _ sources: ArraySlice<ExportSource>, _ fileSystem: FileSystem, _ progress: (Int64) throws -> Void
    ) throws -> TakenEntries? { nil }
}

/// A zip packs each entry on its own. This one is a stream; a file has ``ResumableEntries``.
struct ZipEntries: ExportEntries {
    let writer: ZipWriter

    func add(
        _ name: String, size: Int64, modificationTime: Int64, method: ZipMethod,
        next: (UnsafeMutableRawBufferPointer) throws -> Int, afterEach: () throws -> Void
    ) throws -> Int64 {
        try unsafe writer.add(
            name, size: size, modificationTime: modificationTime, method: method, next: next,
            afterEach: afterEach)
    }

    func finish() throws -> Int64 { try writer.finish() }
}

/// A tar has its entries as they are; what packs them packs all of them.
struct TarEntries: ExportEntries {
    let writer: TarWriter
    let isReproducible: Bool
    /// Makes what was written durable.
    var synchronize: () throws -> Void = {}

    func add(
        _ name: String, size: Int64, modificationTime: Int64, method: ZipMethod,
        next: (UnsafeMutableRawBufferPointer) throws -> Int, afterEach: () throws -> Void
    ) throws -> Int64 {
        try unsafe writer.add(
            name, size: size, modificationTime: isReproducible ? 0 : modificationTime, next: next,
            afterEach: afterEach)
    }

    func finish() throws -> Int64 {
        let size = try writer.finish()
        try synchronize()
        return size
    }
}
