import Synchronization
import ValiseConcurrency
import ValiseCryptography
import ValiseFailures
import ValiseStorage

extension StoreVerification {
    /// All paths, their manifests and the content of the files.
    func verifyFiles(_ state: VerificationState, _ progress: VerificationProgress) throws {
        try each(state) { add in
            try store.list(isRecursive: true) { item in
                switch item {
                case .folder: state.count { $0.folders += 1 }
                case .unusable(let key):
                    state.findings.add(StoreFinding(.unusableKey, "the key is no path", key))
                case .entry(let path, _): try add(path)
                }
                return true
            }
        } _: { _ in
            try progress(.files, state.readBytes, nil)
        } _: { (path: StorePath) in
            try verify(path, state)
        }
    }

    private func verify(_ path: StorePath, _ state: VerificationState) throws {
        guard let stored = try store.object(store.layout.entry(path), most: IndexEntry.mostBytes) else {
            // It was removed after it was listed.
            return
        }
        let entry: IndexEntry
        do throws(ContentStoreError) {
            entry = try store.entry(stored.content, path)
        } catch {
            state.findings.add(StoreFinding(.unreadableEntry, error.message, path.text))
            return
        }
        // It is named, whether it can be read or not.
        if let current = entry.current { state.use(current.manifest, []) }
        if case .preparing(let current, let pending) = entry {
            state.findings.add(StoreFinding(.unfinished, "publishing the file was interrupted", path.text))
            // Readers have one of them, and whoever is about to publish needs the other.
            for item in [current, pending.item].compactMap(\.self) { try keep(item, path, state) }
        }
        do {
            switch try store.content(of: path, entry, stored.version) {
            case .nothing, .unfinished: break
            case .deleted: state.count { $0.deleted += 1 }
            case .item(let item): try verify(item, state)
            }
        } catch let error as any Failure where error.isOfObject {
            let isMissing = (error as? ContentStoreError)?.kind == .missing
            state.findings.add(
                StoreFinding(isMissing ? .missingManifest : .wrongManifest, error.message, path.text))
        }
    }

    /// What an entry names is no orphan.
    private func keep(_ item: IndexedItem, _ path: StorePath, _ state: VerificationState) throws {
        let key = try store.layout.manifest(item.manifest)
        guard let bytes = try store.object(key, most: store.rules.largestManifest)?.content,
            case .file(let file)? = try? StoreManifest(parsing: bytes)
        else { return state.use(item.manifest, []) }
        state.use(item.manifest, file.chunks)
    }

    private func verify(_ item: StoredItem, _ state: VerificationState) throws {
        state.use(item.indexed.manifest, item.content.chunks)
        switch item.content {
        case .link: state.count { $0.symbolicLinks += 1 }
        case .file(let file):
            state.count { $0.files += 1 }
            try verify(file, item.indexed.manifest, item.path.text, state)
        }
    }

    /// Reads a file, if it is its turn.
    func verify(
        _ file: FileManifest, _ manifest: ObjectName, _ subject: String, _ state: VerificationState
    ) throws {
        guard share.contains(try ContentDigest(of: Array(subject.utf8))), state.begin(manifest) else {
            return
        }
        try finding(state, subject) {
            try fetch(file, subject, state)
            state.verified(file.chunks)
            state.count { report in
                report.verifiedFiles += 1
                report.verifiedBytes += file.size
                report.readChunks += file.chunks.count
                report.readBytes += file.size
            }
        }
    }

    private func fetch(_ file: FileManifest, _ subject: String, _ state: VerificationState) throws {
        func fetch(_ store: ContentStore) throws {
            var known: Int64 = 0
            try store.fetch(file, subject) { done in
                try state.read(done.completed - known)
                known = done.completed
            }
        }
        if file.size < Self.largeFile { return try fetch(smallFiles) }
        try state.largeFile.withLock { _ in try fetch(store) }
    }
}
