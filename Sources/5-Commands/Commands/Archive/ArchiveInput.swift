import CValisePlatform
import Valise

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An archive that is read: a file, or what comes through standard input.
///
/// What a zip file holds is written at its end, so that it cannot be checked before all of it is there. A file that standard
/// input comes from is read where it is; what comes through a pipe is kept in a file without a name, which goes with this
/// process in whatever way that ends.
struct ArchiveInput {
    /// What errors and reports call it.
    let path: FilePath
    /// In which it is found under this path.
    let fileSystem: FileSystem
    /// Whether nobody can read it a second time.
    private let isLent: Bool

    /// For operations.
    var source: ImportArchive.Source { isLent ? .lent(path, by: fileSystem) : .file(path) }

    /// Where what comes through a pipe is kept.
    enum Place {
        /// Where the user wants temporary files, or among what this program keeps.
        case temporary
        /// In the folder, or the first one above it that is there; and so much has to fit in there once more.
        case beside(FilePath)
    }

    private static let pieceSize = 1 << 20
    /// The free space is looked at before so many more bytes are written.
    private static let step: Int64 = 8 << 20
    /// So much is left to everybody else.
    private static let reserve: Int64 = 16 << 20

    /// - Parameters:
    ///   - name: a path, or `-`.
    ///   - passphrase: must not come from standard input too.
    /// - Throws: ``CommandError``: `invalid` for a terminal, `noSpace`, `damaged` for what is no zip file;
    ///   `FileError`; `Interruption`.
    init(
        _ name: String, keeping place: Place, _ passphrase: PassphraseSourceOptions?, _ output: OutputOptions
    ) throws {
        guard name == FileStreams.dash else {
            (path, fileSystem, isLent) = (FilePath(name), FileSystem(), false)
            return
        }
        guard passphrase?.passphraseFd != STDIN_FILENO else {
            throw CommandError(
                .invalid, "the archive and its passphrase cannot both come through standard input")
        }
        guard !StandardStreams.inputIsTerminal else {
            throw CommandError(
                .invalid, "an archive is not read from a terminal; send a file or a pipe into standard input")
        }
        (path, isLent) = ("standard input", true)
        fileSystem = FileSystem().lending(try Self.file(place, path, output), as: path)
    }

    private static func file(
        _ place: Place, _ path: FilePath, _ output: OutputOptions
    ) throws -> OpenFile {
        if let file = try? OpenFile.reopening(.standardInput, as: path) { return file }
        let folder = try folder(place)
        var file = try FileSystem().createUnnamed(in: folder)
        try output.withProgress { progress in
            try fill(&file, in: folder, isUnpackedThere: place.isForUnpacking) {
                try progress(OperationProgress("reading standard input", completed: $0))
            }
        }
        return file
    }

    private static func folder(_ place: Place) throws -> FilePath {
        let fileSystem = FileSystem()
        switch place {
        case .beside(var folder):
            while try !fileSystem.isDirectory(folder), folder.parentFolder != folder {
                folder = folder.parentFolder
            }
            return folder
        case .temporary:
            let folders = ValiseFolders.ofUser
            if let folder = folders.temporary { return folder }
            guard let folder = folders.state else { return "/tmp" }
            try fileSystem.makeDirectories(folder)
            return folder
        }
    }

    private static func fill(
        _ file: inout OpenFile, in folder: FilePath, isUnpackedThere: Bool,
        _ progress: (Int64) throws -> Void
    ) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 4096)
        defer { buffer.deallocate() }
        var done: Int64 = 0
        var checked: Int64 = 0
        while true {
            let count = try read(buffer)
            if count == 0 { break }
            // Whatever else this is, the disk is not filled with it.
            if done == 0 { try requireZip(buffer[..<count]) }
            if done + Int64(count) > checked {
                checked = done + step
                let needed = step + reserve + (isUnpackedThere ? checked : 0)
                guard try FileSystem().freeSpace(at: folder) >= needed else { throw full(folder, done) }
            }
            try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            done += Int64(count)
            try progress(done)
        }
        guard done > 0 else {
            throw CommandError(.damaged, "standard input is empty; there is no archive in it")
        }
    }

    /// A whole buffer, unless the input ends before.
    private static func read(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < buffer.count {
            do {
                let count = try FileDescriptor.standardInput.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]),
                    checkpoint: { if valise_interrupted() { throw Interruption() } })
                if count == 0 { break }
                filled += count
            } catch let error as Errno {
                throw FileError(cannot: "read", "standard input", error)
            }
        }
        return filled
    }

    private static func requireZip(_ head: Slice<UnsafeMutableRawBufferPointer>) throws {
        guard head.starts(with: "PK".utf8) else {
            throw CommandError(.damaged, "standard input is no zip file; nothing of it was kept")
        }
    }

    private static func full(_ folder: FilePath, _ done: Int64) -> CommandError {
        CommandError(
            .noSpace,
            "the archive does not fit here: \(ByteCount.text(done)) of it were read, and the rest would fill the disk; "
                + "nothing was changed", subject: folder.string)
    }
}

extension ArchiveInput.Place {
    fileprivate var isForUnpacking: Bool {
        if case .beside = self { true } else { false }
    }
}
