package import SystemPackage
import ValiseEncoding
import ValiseFailures
package import ValiseFiles

extension AttachmentReader {
    /// The encrypted file at a path.
    /// - Throws: ``SessionStoreError`` with `missing` where nothing is there; `FileError`.
    package static func source(
        _ path: FilePath, fileSystem: FileSystem = FileSystem()
    ) throws -> FileSource {
        do throws(FileError) {
            return try FileSource(path, fileSystem: fileSystem)
        } catch  where error.code == .notFound {
            throw AttachmentError.missing(error)
        }
    }

    /// Decrypts an attachment into a new file of mode 0600.
    ///
    /// The content lies in a private temporary file beside its place until all of it is verified and durable. Where anything
    /// fails, that is removed, and what had the name is unchanged.
    ///
    /// - Parameters:
    ///   - source: the encrypted file.
    ///   - file: its folder exists.
    ///   - replacing: whether a file of that name is replaced.
    ///   - fileSystem: where it is written.
    ///   - progress: of the bytes of the encrypted file.
    /// - Returns: the size of the content, in bytes.
    /// - Throws: as ``verify(_:progress:)``; `FileError`: `alreadyExists`, `noSpace`, `notFound` without the folder.
    @discardableResult
    package func decrypt(
        _ source: any ByteSource, to file: FilePath, replacing: Bool = false,
        fileSystem: FileSystem = FileSystem(), progress: Progress = { _ in }
    ) throws -> Int64 {
        if !replacing, try fileSystem.exists(file) {
            throw FileError(.alreadyExists, "exists already. Nothing was written.", file)
        }
        let pending = try PendingFile(file, fileSystem: fileSystem)
        try Self.checkSpace(source.size, file, fileSystem)
        let output = try pending.open()
        var end: Int64 = 0
        let size = try unsafe pass(source, progress) { piece in
            try unsafe output.write(piece, at: end)
            end += Int64(piece.count)
        }
        if size < end { try output.truncate(to: size) }
        try output.synchronize()
        try pending.publish(replacing: replacing)
        return size
    }

    private static func checkSpace(_ size: Int64, _ file: FilePath, _ fileSystem: FileSystem) throws {
        let free = try fileSystem.freeSpace(at: file.parentFolder)
        guard free >= size else {
            throw FileError(
                .noSpace, "needs \(Count.bytes(size)), but only \(Count.bytes(free)) are free", file,
                remedy: .freeSpace(size - free, in: file.parentFolder))
        }
    }
}
