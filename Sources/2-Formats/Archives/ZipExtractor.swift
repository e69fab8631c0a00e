public import ValiseFiles

/// Unpacks the entries of a zip file whose structure a ``ZipIndex`` has checked.
///
/// The same as ``ZipContents/extract(begin:consume:end:)``, for a file that is open.
public final class ZipExtractor {
    private let archive: FileSource

    /// What happened to one entry.
    public typealias Outcome = ZipContents.Outcome

    /// - Parameter file: the archive; the extractor owns it from here on.
    /// - Throws: ``FileError``.
    public init(_ file: consuming OpenFile) throws(FileError) {
        archive = try FileSource(file)
    }

    /// Unpacks the wanted entries in the order of the file.
    ///
    /// - Throws: as ``ZipContents/extract(begin:consume:end:)``.
    public func extract(
        _ index: ZipIndex,
        begin: (ZipEntry) throws -> Bool,
        consume: (UnsafeRawBufferPointer) throws -> Void,
        end: (ZipEntry, Outcome) throws -> Void
    ) throws {
        try unsafe ZipContents(index, archive).extract(begin: begin, consume: consume, end: end)
    }
}
