package import SystemPackage
package import ValiseConcurrency
import ValiseFailures
package import ValiseFiles
import ValiseStorage

extension StoreWriter {
    /// Uploads a file, unless the store has its content or a version that this one does not replace.
    ///
    /// Where it fails or is stopped, the store has the previous content; what was stored until then is found by the next upload.
    ///
    /// - Parameters:
    ///   - source: a regular file, which must not change meanwhile.
    ///   - path: canonical.
    ///   - options: how, and what is known of the path.
    ///   - fileSystem: what the file is read by.
    ///   - progress: bytes of the file; throw to stop.
    /// - Throws: ``ContentStoreError``: `invalid` for a path that is not canonical, `noKey` where it would replace an encrypted
    ///   file by an unencrypted one, `conflict` where file or store are changed meanwhile, `damaged`; `StorageError`;
    ///   `FileError`; `CryptographyError`; whatever `progress` throws.
    package func upload(
        _ source: FilePath, to path: StorePath, _ options: StoreUploadOptions = StoreUploadOptions(),
        fileSystem: FileSystem = FileSystem(), progress: ProgressHandler = { _ in }
    ) throws -> UploadReport {
        try Self.refuseUnsafe(path)
        let file = try LocalFileSource(source, fileSystem)
        let digest = try options.digest ?? file.digest(path.text, progress)
        let previous = try settled(path)
        let local = LocalVersion(.file, digest, options.basis.clock(over: previous, device: identity.device))
        if let refusal = try refusal(local, options.basis, previous, path),
            refusal != .unchanged || !options.rewritesChunks
        {
            return UploadReport(
                refusal, path, digest, size: file.size, clock: previous.item?.content.clock ?? local.clock,
                contentVersion: previous.item?.contentVersion ?? "")
        }
        return try upload(file, local, previous, path, options, progress)
    }

    private func upload(
        _ file: LocalFileSource, _ local: LocalVersion, _ previous: PathContent, _ path: StorePath,
        _ options: StoreUploadOptions, _ progress: ProgressHandler
    ) throws -> UploadReport {
        let key = try fileKey(previous, path)
        let chunks = StoreChunkUpload(
            store: store, sealing: key.map { ChunkSealing(key: $0, file: local.digest) },
            // The last version stores them always: somebody may be about to remove them.
            rewrites: options.rewritesChunks || style == .guarded,
            known: Set(previous.item?.content.chunks ?? []))
        let sizes = options.profile.sizes(for: file.path, size: file.size)
        func send(_ chunks: StoreChunkUpload) throws -> StoreChunkUpload.Outcome {
            let sent = try chunks.run(file.file, sizes) { done in
                try progress(.file(path.text, "uploading", completed: done, total: file.size))
            }
            try file.checkUnchanged(local.digest, sent.digest)
            return sent
        }
        let sent = try send(chunks)
        let manifest = FileManifest(
            content: local.digest, size: file.size, chunks: sent.names, clock: local.clock,
            device: identity.device, written: UInt64(clamping: identity.now()), path: path.text,
            mode: file.mode,
            modified: file.modified, wrappedKey: wrapped(key))
        let content = try PreparedContent(path, manifest)
        try publish(content, over: previous)
        // Who removed garbage meanwhile may have taken what was there before: now it is referred to.
        if try !areStored(sent.reused) { _ = try send(chunks) }
        var report = UploadReport(
            .uploaded, path, local.digest, size: file.size, clock: local.clock,
            contentVersion: content.indexed.manifest.text)
        report.chunks = sent.names.count
        (report.storedChunks, report.storedBytes) = (sent.storedChunks, sent.storedBytes)
        return report
    }

    private func areStored(_ chunks: Set<ObjectName>) throws -> Bool {
        try chunks.allSatisfy { try objects.attributes(of: layout.chunk($0)) != nil }
    }

    // MARK: Keys

    /// A new key for the file; nil for a store without encryption.
    private func fileKey(_ previous: PathContent, _ path: StorePath) throws -> ContentKey? {
        if store.keys.master != nil { return try ContentKey.random() }
        guard previous.item?.content.isEncrypted != true, store.keys.identity == nil else {
            throw ContentStoreError(
                .noKey,
                "the file is encrypted in the store, and without the master key it would be no longer",
                path.text, remedy: .giveStoreKey)
        }
        return nil
    }

    private func wrapped(_ key: ContentKey?) -> String? {
        guard let key, let master = store.keys.master else { return nil }
        return key.wrapped(by: master)
    }
}
