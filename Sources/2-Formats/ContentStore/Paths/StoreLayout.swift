package import ValiseStorage

/// Where everything of a store is: keys under a prefix.
package struct StoreLayout: Hashable, Sendable {
    /// Without a slash at its end; empty for a store that has the bucket for itself.
    package let prefix: String
    /// What keys of the index begin with. A long listing asks for it all the time.
    package let index: String

    /// - Parameter prefix: slashes around it do not count.
    package init(prefix: String) {
        self.prefix = String(prefix.drop { $0 == "/" }.reversed().drop { $0 == "/" }.reversed())
        index = self.prefix.isEmpty ? "index/" : "\(self.prefix)/index/"
    }

    private func text(_ rest: String) -> String { prefix.isEmpty ? rest : "\(prefix)/\(rest)" }

    // MARK: Prefixes of listings

    package var chunks: String { text("chunks/") }
    package var manifests: String { text("manifests/") }
    package var staging: String { text("staging/manifests/") }
    package var trash: String { text(".tcfs-trash/") }
    package var namespace: String { text(".tcfs-namespace/v1/") }
    package var probes: String { text(".tcfs-capability-probes/") }

    /// Everything in a folder of the index; of all of it for nil.
    package func index(of folder: StorePath?) -> String { folder.map { "\(index)\($0.text)/" } ?? index }

    // MARK: Keys

    /// - Throws: `StorageError` with `invalid` for a key that is too long, as of all the others.
    package func chunk(_ name: ObjectName) throws(StorageError) -> ObjectKey {
        try ObjectKey(chunks + name.text)
    }

    package func manifest(_ name: ObjectName) throws(StorageError) -> ObjectKey {
        try ObjectKey(manifests + name.text)
    }

    package func entry(_ path: StorePath) throws(StorageError) -> ObjectKey {
        try ObjectKey(index + path.text)
    }

    package func marker(_ folder: StorePath) throws(StorageError) -> ObjectKey {
        try ObjectKey("\(index)\(folder.text)/\(DirectoryMarker.name)")
    }

    /// - Parameter unique: a UUID in lower case.
    package func stagedManifest(_ name: ObjectName, unique: String) throws(StorageError) -> ObjectKey {
        try ObjectKey("\(staging)\(unique)-\(name.text).json")
    }

    /// - Parameters:
    ///   - time: seconds since 1970.
    ///   - unique: a UUID in lower case.
    package func safetyCopy(
        _ path: StorePath, time: Int64, unique: String
    ) throws(StorageError) -> ObjectKey {
        try ObjectKey("\(trash)\(time)-\(unique)/\(path.text)")
    }

    package func reservation(_ name: ContentDigest) throws(StorageError) -> ObjectKey {
        try ObjectKey(namespace + name.text)
    }

    package func probe(unique: String) throws(StorageError) -> ObjectKey {
        try ObjectKey("\(probes)conditional-write-\(unique)")
    }
}

extension StoreLayout {
    /// The name behind a prefix; nil for a key elsewhere, or below a folder in it.
    private func name(_ key: ObjectKey, in prefix: String) -> ObjectName? {
        guard key.text.utf8.starts(with: prefix.utf8) else { return nil }
        return ObjectName(String(decoding: key.text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }

    /// The name of the chunk that a key is of; nil for another key.
    package func chunk(at key: ObjectKey) -> ObjectName? { name(key, in: chunks) }

    /// The name of the manifest that a key is of; nil for another key.
    package func manifest(at key: ObjectKey) -> ObjectName? { name(key, in: manifests) }

    /// What a key of the index is of; nil for a key elsewhere.
    /// - Throws: ``ContentStoreError`` with `damaged` for a path that leads elsewhere.
    package func place(at key: ObjectKey) throws(ContentStoreError) -> StorePlace? {
        guard key.text.utf8.starts(with: index.utf8) else { return nil }
        let text = String(decoding: key.text.utf8.dropFirst(index.utf8.count), as: UTF8.self)
        // No marker is a simple path.
        if text.isSimplePath { return .entry(try StorePath(lenient: text)) }
        guard text.utf8.suffix(Self.marker.utf8.count).elementsEqual(Self.marker.utf8) else {
            return .entry(try StorePath(lenient: text))
        }
        let folder = String(decoding: text.utf8.dropLast(Self.marker.utf8.count), as: UTF8.self)
        return .marker(try StorePath(lenient: folder))
    }

    private static let marker = "/\(DirectoryMarker.name)"

    /// Whether a key may be that of a staged manifest: in this store, with a UUID, and of this name.
    package func isStaged(_ key: String, of name: ObjectName) -> Bool {
        let end = "-\(name.text).json"
        guard key.utf8.starts(with: staging.utf8), key.utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
        else {
            return false
        }
        let unique = Array(key.utf8.dropFirst(staging.utf8.count).dropLast(end.utf8.count))
        return Self.isCanonicalUUID(unique)
    }

    /// 36 characters: hexadecimal digits in lower case, hyphens at four places.
    private static func isCanonicalUUID(_ text: [UInt8]) -> Bool {
        let isDigit = { (byte: UInt8) in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        return text.count == 36
            && text.enumerated().allSatisfy { place, byte in
                [8, 13, 18, 23].contains(place) ? byte == UInt8(ascii: "-") : isDigit(byte)
            }
    }
}

/// What a key of the index is of.
package enum StorePlace: Hashable, Sendable {
    /// A file.
    case entry(StorePath)
    /// A folder that exists without files, too.
    case marker(StorePath)
}
