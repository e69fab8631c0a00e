#if canImport(FileProvider)
    import FileProvider
    import Foundation

    /// A store of tcfs as a place in the Files app or in Finder.
    ///
    /// Give it an engine in ``makeEngine(_:)``: the keys lie in the keychain group that app and extension share.
    final class FileProviderExtension: NSObject, NSFileProviderReplicatedExtension {
        private let domain: NSFileProviderDomain
        private let engine: Result<any StoreEngine, any Error>
        private let queue = DispatchQueue(label: "store", attributes: .concurrent)

        required init(domain: NSFileProviderDomain) {
            self.domain = domain
            engine = Result { try Self.makeEngine(domain) }
        }

        /// The app replaces this by what opens its store.
        private static func makeEngine(_ domain: NSFileProviderDomain) throws -> any StoreEngine {
            throw EngineError.notAuthorized
        }

        func invalidate() {}

        /// Runs a blocking call, and ends it when the system cancels.
        private func run(
            _ total: Int64 = 1, _ body: @escaping (any StoreEngine, Progress) throws -> Void,
            failed: @escaping (any Error) -> Void
        ) -> Progress {
            let progress = Progress(totalUnitCount: total)
            queue.async { [engine] in
                do {
                    try body(try engine.get(), progress)
                    progress.completedUnitCount = progress.totalUnitCount
                } catch {
                    failed(error.forFileProvider)
                }
            }
            return progress
        }

        // MARK: Reading

        func item(
            for identifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest,
            completionHandler: @escaping (NSFileProviderItem?, (any Error)?) -> Void
        ) -> Progress {
            run { engine, _ in
                completionHandler(FileProviderItem(try engine.item(identifier.path)), nil)
            } failed: {
                completionHandler(nil, $0)
            }
        }

        func fetchContents(
            for itemIdentifier: NSFileProviderItemIdentifier, version requested: NSFileProviderItemVersion?,
            request: NSFileProviderRequest,
            completionHandler: @escaping (URL?, NSFileProviderItem?, (any Error)?) -> Void
        ) -> Progress {
            run { [domain] engine, progress in
                guard let manager = NSFileProviderManager(for: domain) else { throw EngineError.notReached }
                let file = try manager.temporaryDirectoryURL().appendingPathComponent(UUID().uuidString)
                let item = try engine.fetch(
                    itemIdentifier.path, version: requested?.stored, to: file,
                    progress: { progress.set($0, $1) }, isCancelled: { progress.isCancelled })
                completionHandler(file, FileProviderItem(item), nil)
            } failed: {
                completionHandler(nil, nil, $0)
            }
        }

        // MARK: Writing

        func createItem(
            basedOn template: NSFileProviderItem, fields: NSFileProviderItemFields, contents url: URL?,
            options: NSFileProviderCreateItemOptions = [], request: NSFileProviderRequest,
            completionHandler:
                @escaping (NSFileProviderItem?, NSFileProviderItemFields, Bool, (any Error)?) -> Void
        ) -> Progress {
            let parent = template.parentItemIdentifier.path
            let path = parent.isEmpty ? template.filename : "\(parent)/\(template.filename)"
            return run { engine, progress in
                let item: EngineItem
                if template.contentType == .folder {
                    item = try engine.createFolder(path)
                } else if let target = template.symlinkTargetPath ?? nil {
                    item = try engine.uploadLink(to: target, as: path, basedOn: nil)
                } else if let url {
                    item = try engine.upload(
                        url, as: path, basedOn: nil, progress: { progress.set($0, $1) },
                        isCancelled: { progress.isCancelled })
                } else {
                    throw EngineError.failed("no content")
                }
                completionHandler(FileProviderItem(item), [], false, nil)
            } failed: {
                completionHandler(nil, [], false, $0)
            }
        }

        func modifyItem(
            _ item: NSFileProviderItem, baseVersion version: NSFileProviderItemVersion,
            changedFields: NSFileProviderItemFields, contents newContents: URL?,
            options: NSFileProviderModifyItemOptions = [], request: NSFileProviderRequest,
            completionHandler:
                @escaping (NSFileProviderItem?, NSFileProviderItemFields, Bool, (any Error)?) -> Void
        ) -> Progress {
            let path = item.itemIdentifier.path
            return run { engine, progress in
                guard !changedFields.contains(.filename), !changedFields.contains(.parentItemIdentifier)
                else {
                    throw CocoaError(.featureUnsupported)
                }
                guard changedFields.contains(.contents), let newContents else {
                    // Times and tags belong to the content here.
                    completionHandler(FileProviderItem(try engine.item(path)), [], false, nil)
                    return
                }
                let stored = try engine.upload(
                    newContents, as: path, basedOn: version.stored, progress: { progress.set($0, $1) },
                    isCancelled: { progress.isCancelled })
                completionHandler(FileProviderItem(stored), [], false, nil)
            } failed: {
                completionHandler(nil, [], false, $0)
            }
        }

        func deleteItem(
            identifier: NSFileProviderItemIdentifier, baseVersion version: NSFileProviderItemVersion,
            options: NSFileProviderDeleteItemOptions = [], request: NSFileProviderRequest,
            completionHandler: @escaping ((any Error)?) -> Void
        ) -> Progress {
            run { engine, _ in
                let page = try engine.items(in: identifier.path, page: nil, limit: 1)
                if !page.items.isEmpty, !options.contains(.recursive) {
                    throw NSFileProviderError(.directoryNotEmpty)
                }
                try engine.delete(identifier.path, basedOn: version.stored)
                completionHandler(nil)
            } failed: {
                completionHandler($0)
            }
        }

        // MARK: Listing

        func enumerator(
            for container: NSFileProviderItemIdentifier, request: NSFileProviderRequest
        ) throws -> any NSFileProviderEnumerator {
            if container == .trashContainer { throw CocoaError(.featureUnsupported) }
            let folder = container == .workingSet ? nil : container.path
            return try FileProviderEnumerator(engine.get(), folder: folder, queue)
        }
    }

    extension Progress {
        fileprivate func set(_ completed: Int64, _ total: Int64) {
            totalUnitCount = max(1, total)
            // The end is the system's to be told of.
            completedUnitCount = min(completed, max(0, total - 1))
        }
    }
#endif
