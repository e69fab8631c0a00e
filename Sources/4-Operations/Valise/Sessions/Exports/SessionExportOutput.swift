import SystemPackage
import ValiseBackups
import ValiseConcurrency
import ValiseContainers
import ValiseFiles

/// Where an export is written. It has its name only when it is complete and durable.
protocol SessionExportOutput {
    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: with slashes.
    ///   - size: how many bytes will come.
    ///   - modified: in seconds since 1970.
    ///   - next: fills the buffer and returns how much; 0 at the end.
    /// - Returns: how many zeros stand behind what came, where that was less than its size.
    func add(
        _ name: String, size: Int64, modified: Int64,
        next: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> Int64

    /// Makes it durable and gives it its name.
    /// - Returns: its size in bytes.
    func publish() throws -> Int64
}

/// A new folder.
final class SessionExportFolder: SessionExportOutput {
    private let folder: RestoredFolder
    private let fileSystem = FileSystem()
    private let buffer = TransferBuffer(byteCount: 1 << 20, inLargePages: false)
    private var size: Int64 = 0

    /// - Parameter size: of all files, in bytes.
    /// - Throws: `FileError`: `alreadyExists`, `notFound`, `noSpace`, `inUse`.
    init(_ path: FilePath, size: Int64) throws {
        folder = try RestoredFolder(path, size: size, fileSystem)
    }

    func add(
        _ name: String, size: Int64, modified: Int64,
        next: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> Int64 {
        let path = folder.partial.pushing(FilePath(name))
        try fileSystem.makeDirectories(path.parentFolder)
        let file = OpenOutput(try fileSystem.create(path))
        while true {
            let count = try unsafe next(buffer.bytes)
            if count == 0 { break }
            try unsafe file.write(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count]))
            self.size += Int64(count)
        }
        try file.setModificationTime(modified)
        return 0
    }

    func publish() throws -> Int64 {
        try folder.publish()
        return size
    }
}

/// A tar, packed or not.
final class SessionExportTar: SessionExportOutput {
    private let pending: PendingFile
    private let output: OpenOutput
    private let writer: TarWriter
    private let replaces: Bool

    /// - Throws: `FileError`: `alreadyExists`, `notFound`, `noSpace`, `inUse`; `ContainerError`.
    init(_ path: FilePath, _ packing: TarWriter.Packing, replaces: Bool) throws {
        if !replaces, try FileSystem().exists(path) {
            throw FileError(
                .alreadyExists, "exists already. Nothing was written.", path, remedy: .replaceFile(path))
        }
        self.replaces = replaces
        pending = try PendingFile(path)
        let output = OpenOutput(try pending.open())
        self.output = output
        writer = try unsafe TarWriter(packing) { try unsafe output.write($0) }
    }

    func add(
        _ name: String, size: Int64, modified: Int64,
        next: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> Int64 {
        let came = try unsafe writer.add(name, size: size, modificationTime: modified, next: next)
        return size - came
    }

    func publish() throws -> Int64 {
        let size = try writer.finish()
        try output.synchronize()
        try pending.publish(replacing: replaces)
        return size
    }
}

/// A file that closures can write to.
private final class OpenOutput {
    private var file: OpenFile

    init(_ file: consuming OpenFile) { self.file = file }

    func write(_ bytes: UnsafeRawBufferPointer) throws { try unsafe file.write(bytes) }

    func synchronize() throws { try file.synchronize() }

    func setModificationTime(_ seconds: Int64) throws(FileError) {
        do throws(FileError) {
            try file.setModificationTime(seconds, nanoseconds: 0)
        } catch  where error.errno == .invalidArgument {
            // Some file systems take none from before 1970 or after 2106.
        }
    }
}
