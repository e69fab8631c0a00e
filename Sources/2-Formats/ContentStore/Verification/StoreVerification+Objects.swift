import ValiseEncoding
import ValiseFailures
import ValiseStorage

/// An object of a listing.
private struct Listed: Sendable {
    let key: ObjectKey
    let size: Int64
}

extension StoreVerification {
    private func list(_ prefix: String, _ body: (Listed) throws -> Void) throws {
        try store.objects.list(prefix, isDelimited: false, after: nil) { listed in
            guard case .object(let key, let attributes) = listed else { return true }
            try body(Listed(key: key, size: attributes.size))
            return true
        }
    }

    // MARK: Manifests

    /// Manifests that no index entry names: of uploads without a path, and those that are left.
    func verifyManifests(_ state: VerificationState, _ progress: VerificationProgress) throws {
        try each(state) { add in
            try list(store.layout.manifests) { listed in
                state.count { $0.manifests += 1 }
                guard let name = store.layout.manifest(at: listed.key) else {
                    state.findings.add(
                        StoreFinding(.unknownObject, "not the name of a manifest", listed.key.text))
                    return
                }
                if !state.isUsed(manifest: name) { try add((name, listed)) }
            }
        } _: {
            try progress(.manifests, $0, nil)
        } _: { (found: (name: ObjectName, listed: Listed)) in
            try verify(found.name, found.listed, state)
        }
    }

    private func verify(_ name: ObjectName, _ listed: Listed, _ state: VerificationState) throws {
        do {
            guard let bytes = try store.object(listed.key, most: store.rules.largestManifest)?.content else {
                return
            }
            let manifest = try StoreManifest(parsing: bytes)
            switch manifest {
            case .file(let file) where file.path != nil:
                state.use(name, file.chunks)
                addOrphan(.orphanManifest, listed, state)
            case .link(let link) where link.path != nil: addOrphan(.orphanManifest, listed, state)
            case .file, .chunks:
                let file = try store.file(name)
                state.use(name, file.chunks)
                state.count { $0.files += 1 }
                try verify(file, name, name.text, state)
            case .link: state.count { $0.symbolicLinks += 1 }
            }
        } catch let error as any Failure where error.isOfObject {
            state.findings.add(StoreFinding(.wrongManifest, error.message, listed.key.text))
        }
    }

    private func addOrphan(_ kind: StoreFinding.Kind, _ listed: Listed, _ state: VerificationState) {
        state.findings.add(
            StoreFinding(kind, "no file uses it (\(Count.bytes(listed.size)))", listed.key.text))
        state.count { report in
            report.orphans += 1
            report.orphanBytes += listed.size
        }
    }

    // MARK: Chunks

    /// All chunks: those that no file was read with are read alone.
    func verifyChunks(_ state: VerificationState, _ progress: VerificationProgress) throws {
        try each(state) { add in
            try list(store.layout.chunks) { listed in
                guard let name = store.layout.chunk(at: listed.key) else {
                    state.findings.add(
                        StoreFinding(.unknownObject, "not the name of a chunk", listed.key.text))
                    return
                }
                state.stored(name)
                state.count { report in
                    report.chunks += 1
                    report.chunkBytes += listed.size
                }
                if !state.isUsed(chunk: name) { addOrphan(.orphanChunk, listed, state) }
                guard let digest = name.digest, share.contains(digest), !state.isVerified(name) else {
                    return
                }
                try add((name, listed))
            }
        } _: { _ in
            try progress(.chunks, state.readBytes, nil)
        } _: { (found: (name: ObjectName, listed: Listed)) in
            try verifyChunk(found.name, found.listed, state)
        }
    }

    private func verifyChunk(_ name: ObjectName, _ listed: Listed, _ state: VerificationState) throws {
        do {
            guard listed.size <= Int64(StoreRules.largestChunk) else {
                throw ContentStoreError(.damaged, "the chunk is larger than any chunk may be")
            }
            let bytes = try store.storedChunk(name, of: listed.key.text, most: Int(listed.size))
            try state.read(Int64(bytes.count))
            state.count { report in
                report.readChunks += 1
                report.readBytes += Int64(bytes.count)
            }
        } catch is LargerChunk {
            state.findings.add(
                StoreFinding(.damagedChunk, "the chunk grew while it was read", listed.key.text))
        } catch let error as any Failure where error.isOfObject {
            // What was removed after it was listed is missed by its file, if it has one.
            guard (error as? ContentStoreError)?.kind != .missing else { return }
            state.findings.add(StoreFinding(.damagedChunk, error.message, listed.key.text))
        }
    }

    /// Says which files miss chunks that are not stored: those that were not read do not know it yet.
    func reportMissing(_ state: VerificationState) throws {
        let missing = state.missing
        guard !missing.isEmpty else { return }
        try store.list(isRecursive: true) { listed in
            guard case .entry(let path, _) = listed, let item = try? store.content(of: path).item else {
                return true
            }
            for chunk in Set(item.content.chunks).intersection(missing).sorted(by: { $0.text < $1.text }) {
                state.findings.add(StoreFinding(.missingChunk, "chunk \(chunk) is missing", path.text))
            }
            return true
        }
    }

    // MARK: Others

    /// Reserved names, the trash, and what no part of the format has.
    func verifyOthers(_ state: VerificationState, _ progress: VerificationProgress) throws {
        let layout = store.layout
        try each(state) { add in
            try list(layout.namespace) { try add($0.key) }
        } _: {
            try progress(.others, $0, nil)
        } _: { (key: ObjectKey) in
            do {
                guard let stored = try store.object(key, most: IndexEntry.mostBytes) else { return }
                let reservation = try NamespaceReservation(parsing: stored.content)
                guard try layout.reservation(reservation.name()) == key else {
                    throw ContentStoreError(.damaged, "it reserves another name: \(reservation.path)")
                }
            } catch let error as any Failure where error.isOfObject {
                state.findings.add(StoreFinding(.wrongReservation, error.message, key.text))
            }
        }
        try list(layout.trash) { _ in state.count { $0.trashed += 1 } }
        try verifyTop(state)
    }

    private func verifyTop(_ state: VerificationState) throws {
        let layout = store.layout
        let top = layout.prefix.isEmpty ? "" : layout.prefix + "/"
        let known = [
            "chunks/", "manifests/", "index/", "staging/", ".tcfs-trash/", ".tcfs-namespace/",
            ".tcfs-capability-probes/",
        ].map { top + $0 }
        try store.objects.list(top, isDelimited: true, after: nil) { listed in
            if !known.contains(where: { $0.utf8.elementsEqual(listed.text.utf8) }) {
                state.findings.add(StoreFinding(.unknownObject, "no part of the format", listed.text))
            }
            return true
        }
    }
}
