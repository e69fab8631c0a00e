import SystemPackage
import ValiseArchives
import ValiseConcurrency
import ValiseContainers
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// What is in an export of a store of Session, all of which was read.
struct SessionExportFiles {
    /// A file that is there.
    struct Found {
        let size: Int64
        let sha256: String
    }

    let manifest: SessionManifest
    /// By their paths; without the manifest.
    private(set) var found: [String: Found] = [:]

    /// - Throws: ``OperationError``; `ContainerError`; `ZipError`; `FileError`; whatever `progress` throws.
    init(
        _ path: FilePath, _ limits: ZipLimits, _ largestManifest: Int, _ progress: ProgressHandler
    ) throws {
        var content: [UInt8]?
        var found: [String: Found] = [:]
        let buffer = TransferBuffer(byteCount: 1 << 20, inLargePages: false)
        try unsafe Self.forEachFile(path, limits) { name, next in
            let hash = ExportDigest()
            var size: Int64 = 0
            var text: [UInt8]? = name == SessionManifest.name ? [] : nil
            while true {
                let count = try unsafe next(buffer.bytes)
                if count == 0 { break }
                let piece = unsafe UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
                if text == nil { unsafe hash.update(piece) } else { unsafe text?.append(contentsOf: piece) }
                size += Int64(count)
                if text != nil, size > largestManifest { throw Self.tooLarge(path) }
                try progress(OperationProgress("reading \(name)", completed: size, unit: .bytes))
            }
            if let text {
                content = text
            } else {
                found[name] = Found(size: size, sha256: Hexadecimal.encode(hash.finalize()))
            }
        }
        guard let content else {
            throw OperationError(.notFound, "no manifest of an export of Session", subject: path.string)
        }
        manifest = try SessionManifest(decoding: content, of: path.string)
        self.found = found
    }

    private static func tooLarge(_ path: FilePath) -> OperationError {
        OperationError(.damaged, "the manifest of the export is too large", subject: path.string)
    }

    // MARK: What it is

    static func isFolder(_ path: FilePath) throws -> Bool {
        let fileSystem = FileSystem()
        return try fileSystem.attributes(of: path.appending(SessionManifest.name))?.kind == .regular
            && fileSystem.isDirectory(path.appending(SessionManifest.folder))
    }

    /// By the folder of its first entry. Damage is told by whoever reads all of it.
    static func isTar(_ path: FilePath) -> Bool {
        guard let source = try? FileSource(path), let kind = try? ContainerKind(of: source),
            let reader = try? ContainerReader(source, kind, limits: ZipLimits(), checkpoint: { _ in }),
            let first = try? reader.next()
        else { return false }
        return first.name.utf8.starts(with: "\(SessionManifest.folder)/".utf8)
    }

    // MARK: Reading

    /// Fills a buffer with the next bytes of a file; 0 at its end.
    private typealias Next = (UnsafeMutableRawBufferPointer) throws -> Int

    private static func forEachFile(
        _ path: FilePath, _ limits: ZipLimits, _ body: (_ name: String, _ next: Next) throws -> Void
    ) throws {
        guard try !FileSystem().isDirectory(path) else { return try unsafe walk(path, "", depth: 0, body) }
        let source = try FileSource(path)
        guard let kind = try ContainerKind(of: source) else {
            throw OperationError(.unsupported, "not a tar of an export of Session", subject: path.string)
        }
        let reader = try ContainerReader(source, kind, limits: limits, checkpoint: { _ in })
        while let entry = try reader.next() {
            if !entry.isFolder { try unsafe body(entry.name) { try unsafe reader.read(into: $0) } }
        }
    }

    /// More folders within each other are none of an export.
    private static let deepest = 32

    private static func walk(
        _ folder: FilePath, _ lead: String, depth: Int, _ body: (_ name: String, _ next: Next) throws -> Void
    ) throws {
        guard depth < deepest else {
            throw OperationError(
                .unsupported, "too many folders within each other", subject: folder.string)
        }
        for entry in try FileSystem().list(folder) {
            guard let component = FilePath.Component(bytes: entry.nameBytes) else { continue }
            let name = lead + String(decoding: entry.nameBytes, as: UTF8.self)
            let path = folder.appending(component)
            switch entry.kind {
            case .directory: try unsafe walk(path, "\(name)/", depth: depth + 1, body)
            case .regular:
                let source = try FileSource(path)
                var done: Int64 = 0
                try unsafe body(name) { buffer in
                    let count = try unsafe source.read(into: buffer, at: done)
                    done += Int64(count)
                    return count
                }
            // More than the manifest has, also where it has a file of that name.
            default: try unsafe body("\(name) (no regular file)") { _ in 0 }
            }
        }
    }
}
