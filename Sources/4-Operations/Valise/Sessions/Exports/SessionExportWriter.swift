import SystemPackage
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// Writes the files of a store, and then what they were.
struct SessionExportWriter {
    private let output: any SessionExportOutput
    private(set) var manifest: SessionManifest
    /// Of the manifest, in bytes: what is larger is not read.
    private let largest: Int

    init(_ output: any SessionExportOutput, _ manifest: SessionManifest, largest: Int) {
        (self.output, self.manifest, self.largest) = (output, manifest, largest)
    }

    static func tooLarge(_ size: Int, _ largest: Int, _ store: FilePath) -> OperationError {
        OperationError(
            .unsupported,
            "too many files for one export: the manifest would have \(Count.bytes(Int64(size))), and at most "
                + "\(Count.bytes(Int64(largest))) are read. Nothing was written.", subject: store.string)
    }

    /// Notes what is missing, or not as it should be.
    mutating func fail(_ name: String, _ reason: String) {
        manifest.problems.append(.init(path: "\(SessionManifest.folder)/\(name)", reason: reason))
    }

    /// Writes all of it and gives it its name.
    /// - Returns: its size in bytes.
    /// - Throws: ``OperationError`` with `unsupported` where the manifest is too large to be read; `FileError`; `ContainerError`;
    ///   whatever `progress` throws.
    mutating func write(_ files: SessionFiles, _ progress: ProgressHandler) throws -> Int64 {
        manifest.leftOut = files.leftOut
        var done: Int64 = 0
        for file in files.files {
            guard let source = try open(file) else { continue }
            try add(file, source) { read in
                let completed = done + read
                try progress(
                    OperationProgress("exporting", completed: completed, total: max(files.size, completed)))
            }
            done += source.size
        }
        let content = manifest.encode()
        guard content.count <= largest else { throw Self.tooLarge(content.count, largest, files.folder) }
        var offset = 0
        _ = try unsafe output.add(
            SessionManifest.name, size: Int64(content.count), modified: UTCTime.now.seconds
        ) { buffer in
            let count = min(buffer.count, content.count - offset)
            unsafe buffer.copyBytes(from: content[offset..<offset + count])
            offset += count
            return count
        }
        return try output.publish()
    }

    /// Nil for a file that is gone: who deletes a message while it is exported takes its attachment away.
    private mutating func open(_ file: SessionFiles.File) throws(FileError) -> FileSource? {
        do throws(FileError) {
            return try file.open()
        } catch  where error.code == .notFound && !file.isOfDatabase {
            fail(file.name, error.message)
            return nil
        }
    }

    private mutating func add(
        _ file: SessionFiles.File, _ source: FileSource, _ progress: (Int64) throws -> Void
    ) throws {
        let hash = ExportDigest()
        var read: Int64 = 0
        let path = "\(SessionManifest.folder)/\(file.name)"
        let zeros = try unsafe output.add(
            path, size: source.size, modified: file.attributes.modificationTime
        ) { buffer in
            let wanted = Int(min(Int64(buffer.count), source.size - read))
            guard wanted > 0 else { return 0 }
            let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            let count = try unsafe source.read(into: piece, at: read)
            unsafe hash.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            read += Int64(count)
            try progress(read)
            return count
        }
        if read < source.size { fail(file.name, "it became shorter while it was read") }
        hash.addZeros(zeros)
        manifest.files.append(
            .init(path: path, size: read + zeros, sha256: Hexadecimal.encode(hash.finalize())))
    }
}
