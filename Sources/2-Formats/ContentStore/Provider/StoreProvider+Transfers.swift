public import SystemPackage
public import ValiseConcurrency
import ValiseCryptography
import ValiseFailures
import ValiseFiles
import ValiseStorage

extension StoreProvider {
    // MARK: Reading

    /// Fetches a file, or a part of it.
    ///
    /// - Parameters:
    ///   - identifier: of the file.
    ///   - destination: is replaced; its folder exists.
    ///   - range: in bytes; nil for all, which alone is verified as a whole.
    ///   - progress: throw to cancel.
    /// - Returns: what was fetched.
    /// - Throws: ``ProviderError``; whatever `progress` throws. Where it fails, the destination is as it was.
    @discardableResult
    public func hydrateFile(
        _ identifier: String, to destination: FilePath, range: Range<Int64>? = nil,
        progress: ProgressHandler = { _ in }
    ) throws -> ProviderItem {
        try transfer {
            let item = try store.resolve(Self.path(identifier))
            try fetch(item, destination, range, progress)
            return ProviderItem(item, stored: nil)
        }
    }

    /// The same, if the file still has this content.
    /// - Throws: ``ProviderError``: `versionMismatch`.
    @discardableResult
    public func hydrateFileVersion(
        _ identifier: String, _ version: String, to destination: FilePath, range: Range<Int64>? = nil,
        progress: ProgressHandler = { _ in }
    ) throws -> ProviderItem {
        try transfer {
            let item = try store.resolve(Self.path(identifier))
            guard item.contentVersion == version else {
                throw ProviderError(
                    .versionMismatch(requested: version, current: item.contentVersion), .inUse,
                    "the file has another content by now", identifier)
            }
            try fetch(item, destination, range, progress)
            return ProviderItem(item, stored: nil)
        }
    }

    private func fetch(
        _ item: StoredItem, _ destination: FilePath, _ range: Range<Int64>?, _ progress: ProgressHandler
    ) throws {
        let fileSystem = configuration.fileSystem
        guard let range else {
            var options = HydrationOptions()
            options.isReplacing = true
            try store.hydrate(item, to: destination, options, fileSystem: fileSystem, progress: progress)
            return
        }
        let file = try StoredFile(store, item)
        let part = range.clamped(to: 0..<file.size)
        let pending = try PendingFile(destination, fileSystem: fileSystem)
        let output = PartialOutput(try pending.open())
        try file.read(range) { piece in
            try output.append(piece)
        } report: {
            try progress(
                .file(
                    item.path.text, "fetching", completed: output.length,
                    total: part.upperBound - part.lowerBound))
        }
        try output.synchronize()
        try pending.publish(replacing: true)
    }

    // MARK: Writing

    /// Uploads a file.
    ///
    /// - Parameters:
    ///   - source: on disk.
    ///   - identifier: where it goes.
    ///   - basis: the content version that the file goes back to; nil for a new file.
    ///   - progress: throw to cancel.
    /// - Throws: ``ProviderError``: `conflict` where the store has another version; whatever `progress` throws.
    public func uploadFile(
        _ source: FilePath, as identifier: String, basedOn basis: String?,
        progress: ProgressHandler = { _ in }
    ) throws -> ProviderItem {
        try transfer {
            let path = try Self.path(identifier)
            var options = configuration.upload
            options.basis = try self.basis(basis, path)
            let report = try writer().upload(
                source, to: path, options, fileSystem: configuration.fileSystem, progress: progress)
            switch report.outcome {
            case .uploaded, .unchanged: return ProviderItem(try store.resolve(path), stored: nil)
            case .remoteNewer, .conflict:
                throw ContentStoreError(
                    .conflict, "the store has a version that was not seen here. Nothing was uploaded.",
                    path.text)
            }
        }
    }

    /// Stores a symbolic link.
    /// - Throws: ``ProviderError``: `conflict`, `storage` for a target that leaves the store.
    public func uploadLink(
        to target: String, as identifier: String, basedOn basis: String?
    ) throws -> ProviderItem {
        try transfer {
            let path = try Self.path(identifier)
            let report = try writer().uploadLink(to: target, at: path, try self.basis(basis, path))
            guard [.uploaded, .unchanged].contains(report.outcome) else {
                throw ContentStoreError(
                    .conflict, "the store has a version that was not seen here. Nothing was uploaded.",
                    path.text)
            }
            return ProviderItem(try store.resolve(path), stored: nil)
        }
    }

    /// Deletes a file, or a folder with all that is in it. What is not there counts as deleted.
    ///
    /// - Parameters:
    ///   - identifier: of the item.
    ///   - basis: the content version of a file that was seen here; nil to delete any.
    /// - Throws: ``ProviderError``: `conflict` where a file has another version by now.
    public func deleteItem(_ identifier: String, basedOn basis: String? = nil) throws {
        try call {
            let path = try Self.path(identifier)
            let writer = try writer()
            try writer.remove(path, try basis.map { try self.basis($0, path) } ?? .anything)
            guard basis == nil else { return }
            var inside: [StorePath] = []
            var folders: [StorePath] = [path]
            try store.list(path, isRecursive: true) { item in
                switch item {
                case .entry(let path, _): inside.append(path)
                case .folder(let path): folders.append(path)
                case .unusable: break
                }
                return true
            }
            for path in inside { try writer.remove(path) }
            for folder in folders.sorted(by: >) { try writer.removeDirectory(folder) }
        }
    }

    /// Makes a folder.
    /// - Throws: ``ProviderError``
    public func createDirectory(_ identifier: String) throws -> ProviderItem {
        try call {
            try writer().createDirectory(Self.path(identifier))
            return .folder(identifier)
        }
    }

    // MARK: Conflicts

    /// Whether a file here and the one in the store exclude each other.
    ///
    /// - Parameters:
    ///   - identifier: of the file.
    ///   - file: on disk.
    ///   - basis: the content version that the file goes back to; nil for none.
    /// - Returns: nil where an upload would go through, or is not needed.
    /// - Throws: ``ProviderError``
    public func checkConflict(
        _ identifier: String, _ file: FilePath, basedOn basis: String?
    ) throws -> ConflictInfo? {
        try call {
            let path = try Self.path(identifier)
            let digest = try LocalFileSource(file, configuration.fileSystem).digest(identifier) { _ in }
            return try writer().checkConflict(path, digest: digest, try self.basis(basis, path))
        }
    }

    /// The clock of a version that was seen here.
    private func basis(_ version: String?, _ path: StorePath) throws -> WriteBasis {
        guard let version else { return .nothing }
        if let item = try store.content(of: path).item, item.contentVersion == version {
            return .clock(item.content.clock)
        }
        // An older one: its manifest stays until it is collected.
        guard let name = ObjectName(version), let file = try? store.file(name) else { return .nothing }
        return .clock(file.clock)
    }
}
