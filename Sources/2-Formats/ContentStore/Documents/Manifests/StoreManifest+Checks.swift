package import ValiseCryptography

extension StoreManifest {
    /// Checks that a manifest is the one that an index entry names: what is in a store may have been put there by anybody.
    ///
    /// - Parameters:
    ///   - bytes: of the manifest, as they are stored.
    ///   - item: of the index entry.
    ///   - path: of the index entry.
    /// - Throws: ``ContentStoreError`` with `damaged`, which says what does not agree; `CryptographyError`.
    package func check(_ bytes: [UInt8], against item: IndexedItem, at path: StorePath) throws {
        guard let naming = try self.naming(item.manifest, bytes) else {
            throw ContentStoreError(
                .damaged, "the manifest is not the one that the index entry names", path.text)
        }
        guard agrees(with: item) else {
            throw ContentStoreError(.damaged, "manifest and index entry contradict each other", path.text)
        }
        // In stores of older versions paths with the same content share a manifest, which names the first of them.
        guard naming == .content || recordedPath.map({ $0.utf8.elementsEqual(path.text.utf8) }) ?? true else {
            throw ContentStoreError(.damaged, "the manifest is one of another path", path.text)
        }
    }

    private func agrees(with item: IndexedItem) -> Bool {
        switch self {
        case .file(let file):
            item.target == nil && file.size == item.size && file.chunks.count == item.chunks
        case .link(let link): item.target.map { $0.utf8.elementsEqual(link.target.utf8) } ?? false
        // Its size is nowhere else.
        case .chunks(let chunks): item.target == nil && chunks.count == item.chunks
        }
    }

    private var recordedPath: String? {
        switch self {
        case .file(let file): file.path
        case .link(let link): link.path
        case .chunks: nil
        }
    }

    /// What the name of a manifest is made of.
    package enum Naming: Sendable, Hashable {
        /// Its bytes: nothing in it can be changed.
        case bytes
        /// The content of the file, or the target of the link, as until 0.12.14.
        case content
    }

    /// What a name is made of; nil where it is not one of this manifest.
    ///
    /// - Parameters:
    ///   - name: that it was found under. A manifest of chunks alone does not tell its content: it may have any.
    ///   - bytes: of the manifest, as they are stored.
    /// - Throws: `CryptographyError` where libblake3 cannot be loaded.
    package func naming(_ name: ObjectName, _ bytes: [UInt8]) throws(CryptographyError) -> Naming? {
        let identity: ContentDigest
        switch self {
        case .file(let file): identity = file.content
        case .link(let link): identity = try link.identity()
        case .chunks: return .content
        }
        if name.digest == identity { return .content }
        let digest = try DigestLabel.manifest.digest(of: bytes)
        return name.digest == digest ? .bytes : nil
    }
}

extension FileManifest {
    /// The name of the manifest under which every version finds it.
    /// - Throws: `CryptographyError` where libblake3 cannot be loaded.
    package static func name(of encoded: [UInt8]) throws(CryptographyError) -> ObjectName {
        .digest(try DigestLabel.manifest.digest(of: encoded))
    }
}
