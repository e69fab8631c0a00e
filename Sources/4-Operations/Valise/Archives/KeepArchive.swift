package import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseConcurrency
import ValiseContainers
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Takes an archive that comes through a descriptor.
///
/// What a zip file holds is written at its end, so that it cannot be checked before all of it is there. A file is read where it
/// is; what comes through a pipe is kept in a file without a name, which goes with this process in whatever way that ends.
package struct KeepArchive: Operation {
    /// Where what comes through a pipe is kept.
    package enum Place: Sendable {
        /// Where the user wants temporary files, or among what a later run needs.
        case temporary
        /// In the folder, or the first one above it that is there; and so much has to fit in there once more.
        case beside(FilePath)

        fileprivate var isUnpackedThere: Bool { if case .beside = self { true } else { false } }
    }

    /// It stays open.
    package var descriptor: FileDescriptor
    /// What failures and reports call it.
    package var name: FilePath
    package var place: Place

    private static let pieceSize = 1 << 20

    package init(from descriptor: FileDescriptor, name: FilePath, in place: Place = .temporary) {
        self.descriptor = descriptor
        self.name = name
        self.place = place
    }

    /// - Throws: ``OperationError``: `noSpace`, `damaged` for what is no zip file; `FileError`; `Interruption`.
    package func run(in context: OperationContext) async throws -> ImportArchive.Source {
        try await context.blocking { progress in
            .lent(name, by: FileSystem().lending(try file(context.folders, progress), as: name))
        }
    }

    private func file(_ folders: ValiseFolders, _ progress: ProgressHandler) throws -> OpenFile {
        if let file = try? OpenFile.reopening(descriptor, as: name) { return file }
        let folder = try place.folder(folders)
        var file = try FileSystem().createUnnamed(in: folder)
        try fill(&file, in: folder) { try progress(.file("\(name)", "reading", completed: $0)) }
        return file
    }

    private func fill(
        _ file: inout OpenFile, in folder: FilePath, _ progress: (Int64) throws -> Void
    ) throws {
        let buffer = TransferBuffer(byteCount: Self.pieceSize, inLargePages: false)
        var space = SpaceWatch(in: folder, isNeededTwice: place.isUnpackedThere)
        var done: Int64 = 0
        while true {
            let count = try unsafe read(buffer.bytes)
            if count == 0 { break }
            let piece = unsafe UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
            // Whatever else this is, the disk is not filled with it.
            if done == 0 { try unsafe requireArchive(piece) }
            if try space.shortage(growingTo: done + Int64(count)) != nil { throw full(folder, done) }
            try unsafe file.write(piece)
            done += Int64(count)
            try progress(done)
        }
        guard done > 0 else { throw OperationError(.damaged, "\(name) is empty, not an archive") }
    }

    /// A whole buffer, unless the input ends before.
    private func read(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < buffer.count {
            do {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                let count = try unsafe descriptor.read(into: rest, checkpoint: Interruption.checkTask)
                if count == 0 { break }
                filled += count
            } catch let error as Errno {
                throw FileError(cannot: "read", name, error)
            }
        }
        return filled
    }

    private func requireArchive(_ head: UnsafeRawBufferPointer) throws {
        guard unsafe head.starts(with: "PK".utf8) || ContainerKind(head: head) != nil else {
            throw OperationError(
                .damaged, "\(name) is not an archive that can be read. No data was kept.",
                remedy: .useKnownArchive)
        }
    }

    private func full(_ folder: FilePath, _ done: Int64) -> OperationError {
        OperationError(
            .noSpace,
            "not enough free space: \(Count.bytes(done)) of the archive was read, and the rest would fill the disk. "
                + "Nothing was changed.", subject: folder.string)
    }
}

extension KeepArchive.Place {
    /// The folder, which is there.
    /// - Throws: `FileError`.
    func folder(_ folders: ValiseFolders) throws -> FilePath {
        let fileSystem = FileSystem()
        switch self {
        case .beside(var folder):
            while try !fileSystem.isDirectory(folder), folder.parentFolder != folder {
                folder = folder.parentFolder
            }
            return folder
        case .temporary:
            if let folder = folders.temporary { return folder }
            guard let folder = folders.state else { return "/tmp" }
            try fileSystem.makeDirectories(folder)
            return folder
        }
    }
}

/// An archive that is opened once: what is looked at before a question is what is read after it, whatever has its name by then.
struct OpenedArchive: Sendable {
    /// Where it is.
    let source: ImportArchive.Source
    /// Nil for a private copy, and for one that could not be opened.
    private let file: FileSource?
    private let limits: ZipLimits

    init(_ source: ImportArchive.Source, _ file: FileSource?, _ limits: ZipLimits) {
        self.source = source
        self.file = file
        self.limits = limits
    }

    /// Reads its directory.
    /// - Throws: `ZipError` for an archive that is no sound zip file; `ContainerError`; `FileError`.
    func content() throws -> ArchiveStorage {
        try ArchiveStorage(
            file ?? FileSource(source.path, fileSystem: source.fileSystem), limits: limits)
    }
}

extension ImportArchive.Source {
    /// The same archive where it can be read at any place: what comes through a descriptor is kept, what is in a store is fetched.
    /// - Throws: as ``KeepArchive``; as ``StoreName/archive(as:in:)``.
    func kept(in place: KeepArchive.Place, _ context: OperationContext) async throws -> Self {
        if case .file(let path) = self, let stored = try StoreName.find(path) {
            return try await stored.archive(as: path, in: context)
        }
        guard case .descriptor(let descriptor, let name) = self else { return self }
        return try await KeepArchive(from: descriptor, name: name, in: place).run(in: context)
    }

    /// The same archive as a zip, which can be read at any place: a tar, cpio or 7z is copied into a private one.
    ///
    /// - Parameters:
    ///   - place: where the copy goes.
    ///   - limits: how far the archive's claims are trusted.
    ///   - context: of the operation.
    /// - Throws: `ContainerError` and `ZipError` for an archive that is refused; `FileError`; `Interruption`.
    func asZip(
        in place: KeepArchive.Place, limits: ZipLimits, _ context: OperationContext
    ) async throws -> OpenedArchive {
        let source = try await kept(in: place, context)
        return try await context.blocking { progress in
            // Whoever reads it says what is wrong with one that cannot be opened.
            let found = try? FileSource(source.path, fileSystem: source.fileSystem)
            guard let file = found, let kind = try ContainerKind(of: file) else {
                return OpenedArchive(source, found, limits)
            }
            let copy = ContainerCopy(
                in: try place.folder(context.folders), isUnpackedThere: place.isUnpackedThere, limits: limits)
            let zip = try copy.make(file, kind, progress: progress)
            return OpenedArchive(
                .lent(source.path, by: FileSystem().lending(zip, as: source.path)), nil, limits)
        }
    }
}
