package import ValiseStorage

/// What a listing of a store gives, without reading any entry.
package enum ListedItem: Hashable, Sendable {
    /// A folder: it has entries, or a marker.
    case folder(StorePath)
    /// An index entry: of a file, of a symbolic link, or a tombstone. Size and version are those of the entry itself.
    case entry(StorePath, ObjectAttributes)
    /// A key below the index that is no path.
    case unusable(String)
}

extension ContentStore {
    /// Lists the paths below a folder, in the order of the bytes of their keys, some pages of them in memory at a time.
    ///
    /// - Parameters:
    ///   - folder: nil for the whole store.
    ///   - isRecursive: whether what is in folders is listed; then folders come only where they have a marker.
    ///   - after: only what comes behind this path, folders with a slash at their end.
    ///   - body: returns false to end.
    /// - Throws: `StorageError`; whatever `body` throws.
    package func list(
        _ folder: StorePath? = nil, isRecursive: Bool = false, after: String? = nil,
        _ body: (ListedItem) throws -> Bool
    ) throws {
        let after = after.map { layout.index + $0 }
        try objects.list(layout.index(of: folder), isDelimited: !isRecursive, after: after) { listed in
            guard let item = item(listed, in: folder) else { return true }
            return try body(item)
        }
    }

    /// Nil for the marker of the folder that is listed.
    private func item(_ listed: ListedObject, in folder: StorePath?) -> ListedItem? {
        switch listed {
        case .folder(let text):
            let name = String(
                decoding: text.utf8.dropFirst(layout.index.utf8.count).dropLast(), as: UTF8.self)
            return (try? StorePath(lenient: name)).map { .folder($0) } ?? .unusable(text)
        case .object(let key, let attributes):
            // The marker of the store itself is no path, and marks nothing.
            if key.text == layout.index + DirectoryMarker.name { return nil }
            switch try? layout.place(at: key) {
            case .marker(let path)?: return path == folder ? nil : .folder(path)
            case .entry(let path)?: return .entry(path, attributes)
            case nil: return .unusable(key.text)
            }
        }
    }

    /// Whether anything is below a folder, or it has a marker.
    /// - Throws: `StorageError`
    package func isFolder(_ path: StorePath) throws -> Bool {
        var isFound = false
        try objects.list(layout.index(of: path), isDelimited: false, after: nil) { _ in
            isFound = true
            return false
        }
        return isFound
    }
}
