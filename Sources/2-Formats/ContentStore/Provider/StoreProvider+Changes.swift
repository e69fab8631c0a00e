public import ValiseConcurrency
import ValiseFailures
import ValiseFiles

extension StoreProvider {
    private var cache: ListingCache {
        ListingCache(store: store, folder: configuration.stateFolder, fileSystem: configuration.fileSystem)
    }

    /// What the store has at this moment, as a text that ``changes(since:limit:_:)`` goes on from.
    /// - Throws: ``ProviderError``; whatever `progress` throws.
    public func currentAnchor(_ progress: ProgressHandler = { _ in }) throws -> String {
        try call { try cache.update { try progress(OperationProgress("listing", unit: .items)) } }
    }

    /// What happened since an anchor.
    ///
    /// - Parameters:
    ///   - anchor: of an earlier call.
    ///   - limit: of paths.
    ///   - progress: throw to stop.
    /// - Throws: ``ProviderError``: with the code `gone` for an anchor that is not kept any more: everything has to be listed
    ///   again; whatever `progress` throws.
    public func changes(
        since anchor: String, limit: Int = 500, _ progress: ProgressHandler = { _ in }
    ) throws -> ProviderChanges {
        try call {
            guard let place = Anchor(anchor) else {
                throw ProviderError(.invalidArgument, .invalid, "not an anchor of this provider")
            }
            let target = try place.target ?? currentAnchor(progress)
            guard let old = try cache.lines(place.base), let new = try cache.lines(target) else {
                throw ProviderError(.notFound, .gone, "the anchor is too old, so its changes are unknown")
            }
            if place.base == target {
                return ProviderChanges(updated: [], deleted: [], anchor: target, hasMore: false)
            }
            var listing = try ListingChanges(old, new, configuration.fileSystem)
            return try collect(&listing, place, target, max(1, limit))
        }
    }

    private func collect(
        _ listing: inout ListingChanges, _ place: Anchor, _ target: String, _ limit: Int
    ) throws -> ProviderChanges {
        var updated: [ProviderItem] = []
        var deleted: [String] = []
        var count = 0
        while let (path, changes) = try listing.next() {
            if let after = place.after, !after.utf8.lexicographicallyPrecedes(path.utf8) { continue }
            for change in changes {
                switch change {
                case .folder(let text): updated.append(.folder(text))
                case .removedFolder(let text), .removedEntry(let text): deleted.append(text)
                case .entry(let text):
                    if let item = try changedItem(text) { updated.append(item) } else { deleted.append(text) }
                }
            }
            count += 1
            guard count < limit else {
                let anchor = Anchor(base: place.base, target: target, after: path)
                return ProviderChanges(updated: updated, deleted: deleted, anchor: anchor.text, hasMore: true)
            }
        }
        return ProviderChanges(updated: updated, deleted: deleted, anchor: target, hasMore: false)
    }

    /// Nil for what is deleted by now.
    private func changedItem(_ text: String) throws -> ProviderItem? {
        let path = try StorePath(lenient: text)
        do {
            return try store.content(of: path).item.map { ProviderItem($0, stored: nil) }
        } catch let error as any Failure where error.isOfObject {
            return ProviderItem(unreadable: path, error.message)
        }
    }

    /// A listing; or the way from one to another, as far as somebody went.
    private struct Anchor {
        let base: String
        let target: String?
        let after: String?

        init(base: String, target: String, after: String) {
            self.base = base
            self.target = target
            self.after = after
        }

        init?(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 2).map(String.init)
            guard let base = parts.first, ContentDigest(text: base) != nil, parts.count != 2 else {
                return nil
            }
            self.base = base
            target = parts.count == 3 ? parts[1] : nil
            after = parts.count == 3 ? parts[2] : nil
        }

        var text: String { "\(base):\(target ?? ""):\(after ?? "")" }
    }
}
