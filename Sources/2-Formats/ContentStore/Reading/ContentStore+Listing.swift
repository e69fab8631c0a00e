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

/// What a listing without attributes gives.
package enum ListedPath: Hashable, Sendable {
    /// A folder: it has entries, or a marker.
    case folder(StorePath)
    /// An index entry: of a file, of a symbolic link, or a tombstone.
    case entry(StorePath)
    /// A key below the index that is no path.
    case unusable(String)
}

extension ListedItem {
    fileprivate init(_ path: ListedPath, _ listed: ListedObject) {
        switch (path, listed) {
        case (.entry(let path), .object(_, let attributes)): self = .entry(path, attributes)
        case (.entry(let path), .folder), (.folder(let path), _): self = .folder(path)
        case (.unusable(let text), _): self = .unusable(text)
        }
    }
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
            guard let path = path(listed.key, in: folder) else { return true }
            return try body(ListedItem(path, listed))
        }
    }

    /// Lists the same paths without what is known of their entries.
    /// - Throws: as ``list(_:isRecursive:after:_:)``.
    package func listPaths(
        _ folder: StorePath? = nil, isRecursive: Bool = false, _ body: (ListedPath) throws -> Bool
    ) throws {
        try objects.listKeys(layout.index(of: folder), isDelimited: !isRecursive, after: nil) { listed in
            guard let path = path(listed, in: folder) else { return true }
            return try body(path)
        }
    }

    /// Nil for the marker of the folder that is listed.
    private func path(_ listed: ListedKey, in folder: StorePath?) -> ListedPath? {
        switch listed {
        case .folder(let text):
            let name = String(
                decoding: text.utf8.dropFirst(layout.index.utf8.count).dropLast(), as: UTF8.self)
            return (try? StorePath(lenient: name)).map { .folder($0) } ?? .unusable(text)
        case .object(let key):
            switch try? layout.place(at: key) {
            case .entry(let path)?: return .entry(path)
            case .marker(let path)?: return path == folder ? nil : .folder(path)
            // The marker of the store itself is no path, and marks nothing.
            case nil: return key.text == layout.index + DirectoryMarker.name ? nil : .unusable(key.text)
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
