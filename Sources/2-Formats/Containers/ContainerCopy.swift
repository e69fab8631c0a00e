package import SystemPackage
package import ValiseArchives
package import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
package import ValiseFiles

/// Copies the entries of a container into a private zip, so that they can be read at any place, and by what reads a zip.
///
/// The zip has no name and goes with this process, in whatever way that ends. Everything in the container is checked by then:
/// from one that is refused, nothing has been used.
package struct ContainerCopy {
    private let folder: FilePath
    private let isUnpackedThere: Bool
    private let limits: ZipLimits
    private let fileSystem: FileSystem

    /// - Parameters:
    ///   - folder: where the zip goes.
    ///   - isUnpackedThere: whether so much has to fit in there once more.
    ///   - limits: how far the claims of the container are trusted.
    ///   - fileSystem: where files are read and written.
    package init(
        in folder: FilePath, isUnpackedThere: Bool = false, limits: ZipLimits = ZipLimits(),
        fileSystem: FileSystem = FileSystem()
    ) {
        self.folder = folder
        self.isUnpackedThere = isUnpackedThere
        self.limits = limits
        self.fileSystem = fileSystem
    }

    /// - Parameters:
    ///   - archive: the container.
    ///   - kind: what it is by its first bytes.
    ///   - progress: sees how much of it was read; throw to stop.
    /// - Returns: the zip.
    /// - Throws: ``ContainerError`` and `ZipError` for a container that is refused; `noSpace`; `FileError`; whatever `progress`
    ///   throws.
    package func make(
        _ archive: FileSource, _ kind: ContainerKind, progress: ProgressHandler
    ) throws -> OpenFile {
        try copied(archive, kind, trustsSizes: true, progress) { reader, writer in
            while let entry = try reader.next() {
                if entry.isFolder { continue }
                try unsafe writer.add(
                    entry.name, size: entry.size, modificationTime: entry.modified, method: .stored,
                    next: { try unsafe reader.read(into: $0) })
            }
        }
    }

    /// - Parameters:
    ///   - trustsSizes: as a ``ContainerReader`` has it.
    ///   - copy: reads the container, and writes what it has.
    /// - Returns: the zip.
    func copied(
        _ archive: FileSource, _ kind: ContainerKind, trustsSizes: Bool, _ progress: ProgressHandler,
        _ copy: (ContainerReader, ZipWriter) throws -> Void
    ) throws -> OpenFile {
        let before = try archive.attributes()
        let output = ContainerCopyOutput(try fileSystem.createUnnamed(in: folder))
        try withoutActuallyEscaping(progress) { progress in
            let reader = try ContainerReader(
                archive, kind, limits: limits, trustsSizes: trustsSizes
            ) { done in
                try progress(
                    OperationProgress("unpacking the archive", completed: done, total: archive.size))
            }
            let writer = makeWriter(output, archive.path)
            try copy(reader, writer)
            _ = try writer.finish()
        }
        guard try archive.attributes().isUnchanged(since: before) else {
            throw ContainerError(
                .failed, .changed, "the archive changed while being read. Nothing was changed.",
                archive: archive.path.string)
        }
        return try output.take()
    }

    private func makeWriter(_ output: ContainerCopyOutput, _ archive: FilePath) -> ZipWriter {
        var space = SpaceWatch(in: folder, isNeededTwice: isUnpackedThere, fileSystem: fileSystem)
        return unsafe ZipWriter(
            stream: { bytes in
                if let shortage = try space.shortage(growingTo: output.size + Int64(bytes.count)) {
                    throw noSpace(shortage, archive)
                }
                try unsafe output.write(bytes)
            }, workers: 1)
    }

    private func noSpace(_ shortage: SpaceWatch.Shortage, _ archive: FilePath) -> ContainerError {
        ContainerError(
            .noSpace, .space,
            "not enough free space in \(folder.string) to unpack the archive: "
                + "\(Count.bytes(shortage.needed)) needed, \(Count.bytes(shortage.free)) available. "
                + "Nothing was changed.",
            archive: archive.string, remedy: .freeSpace(shortage.needed, in: folder))
    }
}

/// The file while it is written.
final class ContainerCopyOutput {
    private var file: OpenFile?
    private(set) var size: Int64 = 0

    init(_ file: consuming OpenFile) { self.file = consume file }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try unsafe file?.write(bytes)
        size += Int64(bytes.count)
    }

    func take() throws -> OpenFile {
        guard let file = file.take() else { throw ContainerError(.failed, .output, "already closed") }
        return file
    }
}
