package import SystemPackage
import ValiseConcurrency
import ValiseContentStore
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseStorage

/// Stores a file in a store. It is encrypted where the master key of the store is given.
package struct PutIntoStore: Operation {
    package var store: StoreInput
    package var file: FilePath
    /// In the store; one that ends with a slash is the folder for a file of the same name. Nil for its name at the top.
    package var path: String?
    /// Whether another content that the store has under the path is replaced.
    package var replacesFile = false
    package var writing = StoreWriting()
    /// The time of day, in seconds since 1970.
    var clock = UTCTime.clock

    package init(_ file: FilePath, into store: StoreInput) {
        self.file = file
        self.store = store
    }

    /// - Throws: as ``run(in:)``.
    package func plan(in context: OperationContext) async throws -> PutInStore {
        let path = try target()
        return try await store.opened(in: context) { store, _ in
            let size = try FileSystem().openForReading(file).size()
            let content = try store.content(of: path)
            if !replacesFile, content.item != nil { throw Self.exists(path) }
            return PutInStore(path.text, size: size, outcome: content.item == nil ? .added : .replaced)
        }
    }

    /// - Throws: `ContentStoreError`: `exists` where the store has another content and it is not replaced, `conflict`,
    ///   `invalid`, `noKey`; `FileError`; `StorageError`.
    package func run(in context: OperationContext) async throws -> PutInStore {
        let path = try target()
        return try await store.opened(in: context) { store, progress in
            let writer = try writing.writer(store, self.store.identity(clock), in: context)
            var options = StoreUploadOptions(replacesFile ? .anything : .nothing)
            options.profile = writing.profile
            options.rewritesChunks = writing.rewritesChunks
            let isThere = try store.content(of: path).item != nil
            let report = try writer.upload(file, to: path, options, progress: progress)
            switch report.outcome {
            case .uploaded: break
            case .unchanged: return PutInStore(report, .unchanged)
            case .remoteNewer, .conflict: throw Self.exists(path)
            }
            return PutInStore(report, isThere ? .replaced : .added)
        }
    }

    private func target() throws -> StorePath {
        let name = file.lastComponent?.string ?? ""
        guard let path, !path.isEmpty else { return try StorePath(name) }
        return try StorePath(path.hasSuffix("/") ? path + name : path)
    }

    private static func exists(_ path: StorePath) -> ContentStoreError {
        ContentStoreError(
            .exists, "the store has another file of this name. Nothing was stored.", path.text,
            remedy: .replaceFile(FilePath(path.text)))
    }
}

/// How a store is written to.
package struct StoreWriting: Sendable {
    /// Whether index entries are written as the last versions of tcfs do: several devices are safe from each other then, and the
    /// first versions cannot read them.
    package var isGuarded = false
    /// Whether files are cut as tcfs cuts them, into small chunks.
    package var cutsAsTCFS = false
    /// Whether chunks are stored although they are there: repairs damaged ones.
    package var rewritesChunks = false

    package init() {}

    var profile: ChunkProfile { cutsAsTCFS ? .tcfs(.late) : .own }

    /// - Throws: `ContentStoreError`: `unsupported` where the server cannot hold what is asked for.
    func writer(
        _ store: ContentStore, _ identity: WriterIdentity, in context: OperationContext
    ) throws -> StoreWriter {
        let writer = try StoreWriter(store, identity, isGuarded ? .guarded : .portable)
        if try !store.objects.hasConditionalWrites() {
            context.note(StoreNote.withoutConditions(store.location))
        }
        return writer
    }
}

/// What was stored of a file, or would be.
package struct PutInStore: OperationReport {
    package enum Outcome: String, Sendable, Encodable {
        case added
        /// Another content was there.
        case replaced
        /// The store has this content already.
        case unchanged
    }

    package let path: String
    /// Of the file, in bytes.
    package let size: Int64
    package let outcome: Outcome
    /// The BLAKE3 of its content, 64 hexadecimal digits; nil where it was not read yet.
    package let digest: String?
    package let chunks: Int
    /// Those that were stored, and their bytes.
    package let storedChunks: Int
    package let storedSize: Int64

    init(_ path: String, size: Int64, outcome: Outcome) {
        self.path = path
        self.size = size
        self.outcome = outcome
        (digest, chunks, storedChunks, storedSize) = (nil, 0, 0, 0)
    }

    init(_ report: UploadReport, _ outcome: Outcome) {
        path = report.path.text
        size = report.size
        self.outcome = outcome
        digest = report.digest.text
        (chunks, storedChunks, storedSize) = (report.chunks, report.storedChunks, report.storedBytes)
    }
}
