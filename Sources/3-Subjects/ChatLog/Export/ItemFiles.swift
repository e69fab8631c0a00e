package import SystemPackage
import ValiseFailures
package import ValiseFiles

/// The files of a source's items, as an export copies them.
package protocol ItemFiles {
    /// The folder of files that an export may refer to; nil for none.
    var folder: FilePath? { get }

    /// Looks for the file of an item.
    /// - Throws: `FileError` where the system does not let us look.
    func find(_ file: ItemFile) throws -> ItemFileFinding

    /// Writes the content, decrypted and verified.
    /// - Parameters:
    ///   - file: of an item.
    ///   - name: as it was found.
    ///   - writer: gets the content from its beginning.
    ///   - checkpoint: called between pieces; throw to stop.
    /// - Throws: any failure with the code `damaged` where the file is not what it was; `FileError`; whatever the checkpoint
    ///   throws.
    func write(
        _ file: ItemFile, named name: String, to writer: ParallelWriter, checkpoint: () throws -> Void
    ) throws
}

/// What was found of a file.
package enum ItemFileFinding {
    /// Its name in the source, and the size of its content in bytes.
    case file(name: String, size: Int64)
    /// Why there is none; with words where that is a problem.
    case absent(ExportedMedia.State, problem: String?)
}

extension ParallelWriter {
    private static let piece = 1 << 20

    /// Writes all of a source.
    func write(all source: any ByteSource, checkpoint: () throws -> Void) throws {
        var offset: Int64 = 0
        while offset < source.size {
            let bytes = try source.bytes(at: offset, upTo: Self.piece)
            guard !bytes.isEmpty else { throw FileError(.damaged, "ends too early", source.path) }
            try unsafe bytes.withUnsafeBytes { try unsafe write($0, at: offset) }
            startWriteback(upTo: offset)
            offset += Int64(bytes.count)
            try checkpoint()
        }
    }
}
