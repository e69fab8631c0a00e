#if canImport(FileProvider)
    import FileProvider
    import Foundation

    /// Lists a folder page by page, or what happened in it, or in the whole store, since an anchor.
    final class FileProviderEnumerator: NSObject, NSFileProviderEnumerator {
        private let engine: any StoreEngine
        /// Nil for the working set, which is everything that changes.
        private let folder: String?
        private let queue: DispatchQueue

        private static let limit = 200

        init(_ engine: any StoreEngine, folder: String?, _ queue: DispatchQueue) {
            self.engine = engine
            self.folder = folder
            self.queue = queue
        }

        func invalidate() {}

        func enumerateItems(
            for observer: any NSFileProviderEnumerationObserver, startingAt page: NSFileProviderPage
        ) {
            guard let folder else { return observer.finishEnumerating(upTo: nil) }
            let first: [Data] = [
                NSFileProviderPage.initialPageSortedByName as Data,
                NSFileProviderPage.initialPageSortedByDate as Data,
            ]
            let start = first.contains(page.rawValue) ? nil : String(decoding: page.rawValue, as: UTF8.self)
            queue.async { [engine] in
                do {
                    let limit = min(Self.limit, observer.suggestedPageSize ?? Self.limit)
                    let found = try engine.items(in: folder, page: start, limit: limit)
                    observer.didEnumerate(found.items.map(FileProviderItem.init))
                    observer.finishEnumerating(upTo: found.next.map { NSFileProviderPage(Data($0.utf8)) })
                } catch {
                    observer.finishEnumeratingWithError(error.forFileProvider)
                }
            }
        }

        func enumerateChanges(
            for observer: any NSFileProviderChangeObserver, from anchor: NSFileProviderSyncAnchor
        ) {
            queue.async { [engine, folder] in
                do {
                    let text = String(decoding: anchor.rawValue, as: UTF8.self)
                    let all = try engine.changes(since: text, limit: Self.limit)
                    let changes = folder.map { all.inside($0) } ?? all
                    observer.didUpdate(changes.updated.map(FileProviderItem.init))
                    observer.didDeleteItems(withIdentifiers: changes.deleted.map { .init(path: $0) })
                    observer.finishEnumeratingChanges(
                        upTo: NSFileProviderSyncAnchor(Data(changes.anchor.utf8)), moreComing: changes.hasMore
                    )
                } catch {
                    observer.finishEnumeratingWithError(error.forFileProvider)
                }
            }
        }

        func currentSyncAnchor(completionHandler: @escaping (NSFileProviderSyncAnchor?) -> Void) {
            queue.async { [engine] in
                completionHandler((try? engine.anchor()).map { NSFileProviderSyncAnchor(Data($0.utf8)) })
            }
        }
    }

    extension Error {
        /// The failure as the system knows it, so that it tries again, asks the user, or keeps both versions.
        var forFileProvider: any Error {
            switch self as? EngineError {
            case .notFound?: NSFileProviderError(.noSuchItem)
            case .exists?: NSFileProviderError(.filenameCollision)
            case .conflict?, .otherVersion?: NSFileProviderError(.versionNoLongerAvailable)
            case .anchorExpired?: NSFileProviderError(.syncAnchorExpired)
            case .notReached?: NSFileProviderError(.serverUnreachable)
            case .notAuthorized?, .locked?: NSFileProviderError(.notAuthenticated)
            case .noSpace?: CocoaError(.fileWriteOutOfSpace)
            case .cancelled?: CocoaError(.userCancelled)
            case .failed?: NSFileProviderError(.cannotSynchronize)
            case nil: self
            }
        }
    }
#endif
