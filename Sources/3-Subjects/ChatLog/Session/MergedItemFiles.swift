package import SystemPackage
package import ValiseFiles
package import ValiseSessionStore

/// The files of an account of Session whose stores are merged: each with the key of its store.
package struct MergedItemFiles: ItemFiles {
    private let files: [SessionItemFiles]

    /// - Throws: as ``SessionItemFiles``.
    package init(_ merged: MergedStore) throws {
        files = try merged.stores.map { try SessionItemFiles($0) }
    }

    /// Nil: there are several, and none of them has all files.
    package var folder: FilePath? { nil }

    package func find(_ file: ItemFile) throws -> ItemFileFinding {
        guard let path = file.path else { return .absent(.unfinished, problem: nil) }
        guard let (store, rest) = origin(of: path) else { return .absent(.missing, problem: "missing") }
        switch try files[store].find(file.at(rest)) {
        // The name leads back to the store.
        case .file(_, let size): return .file(name: path, size: size)
        case .absent(let state, let problem): return .absent(state, problem: problem)
        }
    }

    package func write(
        _ file: ItemFile, named name: String, to writer: ParallelWriter, checkpoint: () throws -> Void
    ) throws {
        guard let (store, rest) = origin(of: name) else { return }
        try files[store].write(file.at(rest), named: rest, to: writer, checkpoint: checkpoint)
    }

    private func origin(of path: String) -> (store: Int, path: String)? {
        guard let found = MergedStore.origin(of: path), files.indices.contains(found.store) else {
            return nil
        }
        return found
    }
}

extension ItemFile {
    fileprivate func at(_ path: String) -> ItemFile {
        ItemFile(
            row: row, name: name, path: path, size: size, status: status, isEncrypted: isEncrypted,
            exported: nil)
    }
}

extension SessionLog {
    /// What exports call a conversation.
    /// - Parameter conversation: its ID in the store.
    package static func key(of conversation: String) -> String { SessionLogKey.text(of: conversation) }
}
