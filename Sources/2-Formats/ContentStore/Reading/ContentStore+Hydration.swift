package import SystemPackage
package import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
package import ValiseFiles

extension ContentStore {
    /// Fetches a file, or makes a symbolic link.
    ///
    /// The content lies in a private temporary file beside its place until its length and its hash are verified. Where anything
    /// fails, the temporary file is removed and what had the name is unchanged.
    ///
    /// - Parameters:
    ///   - item: resolved before.
    ///   - file: its folder exists.
    ///   - options: how it is written.
    ///   - fileSystem: where it is written.
    ///   - progress: bytes; throw to stop.
    /// - Throws: ``ContentStoreError``: `missing` or `damaged` for what is stored, `noKey`, `wrongKey`, `unsupported` for a
    ///   symbolic link that leaves the folder of the store; `StorageError`; `FileError`: `noSpace`, `alreadyExists`; whatever `progress` throws.
    @discardableResult
    package func hydrate(
        _ item: StoredItem, to file: FilePath, _ options: HydrationOptions = HydrationOptions(),
        fileSystem: FileSystem = FileSystem(), progress: ProgressHandler = { _ in }
    ) throws -> HydrationReport {
        switch item.content {
        case .file(let manifest):
            return try hydrate(
                manifest, named: item.path.text, to: file, options, fileSystem: fileSystem, progress: progress
            )
        case .link(let link):
            try SymbolicLinkRules.check(link.target, at: item.path)
            try Self.makeLink(file, to: link.target, options, fileSystem)
            return HydrationReport(size: 0, chunks: 0, symbolicLink: link.target)
        }
    }

    /// Fetches a file whose manifest is named instead of its path; see ``file(_:)``.
    /// - Throws: as ``hydrate(_:to:_:fileSystem:progress:)``.
    @discardableResult
    package func hydrate(
        _ manifest: FileManifest, named subject: String, to file: FilePath,
        _ options: HydrationOptions = HydrationOptions(), fileSystem: FileSystem = FileSystem(),
        progress: ProgressHandler = { _ in }
    ) throws -> HydrationReport {
        if !options.isReplacing, try fileSystem.exists(file) {
            throw FileError(.alreadyExists, "exists already. Nothing was written.", file)
        }
        let pending = try PendingFile(file, fileSystem: fileSystem)
        try Self.checkSpace(manifest.size, file, fileSystem)
        let output = try pending.open()
        try fetch(manifest, subject, progress) { start, piece in
            try unsafe piece.withUnsafeBytes { try unsafe output.write($0, at: start) }
        }
        try Self.finish(output, manifest, options)
        try pending.publish(replacing: options.isReplacing)
        return HydrationReport(size: manifest.size, chunks: manifest.chunks.count, symbolicLink: nil)
    }

    /// Reads all of a file and verifies it.
    ///
    /// - Parameter take: gets each piece with its place, in order, on any thread.
    func fetch(
        _ manifest: FileManifest, _ subject: String, _ progress: ProgressHandler,
        _ take: @Sendable (Int64, [UInt8]) throws -> Void = { _, _ in }
    ) throws {
        let check = try ContentCheck(manifest, subject)
        let reader = try ChunkReader(self, manifest, subject)
        try ChunkRun(reader).run(0..<manifest.chunks.count) { _, piece in
            try take(try check.add(piece), piece)
        } report: {
            try progress(.file(subject, "fetching", completed: check.length, total: manifest.size))
        }
        try check.finish()
    }

    private static func checkSpace(
        _ size: Int64, _ file: FilePath, _ fileSystem: FileSystem
    ) throws {
        let free = try fileSystem.freeSpace(at: file.parentFolder)
        guard free >= size else {
            throw FileError(
                .noSpace, "needs \(Count.bytes(size)), but only \(Count.bytes(free)) are free", file,
                remedy: .freeSpace(size - free, in: file.parentFolder))
        }
    }

    private static func finish(
        _ output: borrowing OpenFile, _ manifest: FileManifest, _ options: HydrationOptions
    ) throws {
        if options.restoresMode, let mode = manifest.mode {
            try output.setPermissions(FilePermissions(rawValue: CInterop.Mode(mode & 0o777)))
        }
        if options.restoresModificationTime, let time = manifest.modified {
            try output.setModificationTime(time.seconds, nanoseconds: Int64(time.nanoseconds))
        }
        if options.isDurable { try output.synchronize() }
    }

    private static func makeLink(
        _ path: FilePath, to target: String, _ options: HydrationOptions, _ fileSystem: FileSystem
    ) throws {
        if options.isReplacing, try fileSystem.attributes(of: path)?.kind == .symbolicLink {
            if try fileSystem.symbolicLinkTarget(of: path).elementsEqual(target.utf8) { return }
            let beside = path.appendingSuffix(PendingFile.suffix)
            if try fileSystem.exists(beside) { try fileSystem.remove(beside) }
            try fileSystem.makeSymbolicLink(beside, to: target)
            try fileSystem.rename(beside, to: path)
        } else {
            try fileSystem.makeSymbolicLink(path, to: target)
        }
        try fileSystem.synchronizeDirectory(path.parentFolder)
    }
}
