import ValiseFailures

extension SFTPStore {
    package func create() throws {
        try attempt("create", root.path) { connection in
            try makeRoot(root.path, connection)
            let kinds = StoredKind.allCases.map { root.path(of: $0.rawValue) }
            let packs = FolderStore.packFolderDigits.map { root.path(of: "data/\($0)") }
            for folders in [kinds, packs] { try makeFolders(folders, connection) }
            for parent in [root.path(of: StoredKind.data.rawValue), root.path] {
                try connection.flushNames(in: parent)
            }
        }
    }

    package func put(_ name: StoredName, _ content: [UInt8]) throws {
        let path = path(of: name)
        // Of an attempt whose connection was lost.
        var leftover: String?
        try attempt("store", path) { connection in
            if let leftover { connection.post(.remove(leftover)) }
            if try !hasStored(content, path, connection) {
                let temporary = path + TemporaryName.suffix()
                leftover = temporary
                do {
                    try write(content, temporary, name, connection)
                    try publish(temporary, as: path, content, name, connection)
                } catch {
                    connection.post(.remove(temporary))
                    throw try explained(error, storing: content.count, path, connection)
                }
            }
            // Also of what is there already: who stored it may have been killed before this.
            try connection.flushNames(in: folder(of: name))
        }
    }

    // MARK: Files

    /// Whether the file is there with this content.
    /// - Throws: ``StorageError``: `alreadyExists` where it has another one.
    private func hasStored(_ content: [UInt8], _ path: String, _ connection: SFTPConnection) throws -> Bool {
        guard let found = try connection.attributes(of: path) else { return false }
        if try size(found, path, connection) == Int64(content.count) {
            if content.isEmpty { return true }
            do {
                if try connection.bytes(of: path, at: 0, count: content.count) == content { return true }
            } catch let status as SFTPStatus where status.isMissing {
                // Removed meanwhile.
                return false
            }
        }
        throw StorageError.otherContent(subject(path))
    }

    private func write(
        _ content: [UInt8], _ temporary: String, _ name: StoredName, _ connection: SFTPConnection
    ) throws {
        let handle: SFTPHandle
        do {
            handle = try connection.handle(connection.send(.open(temporary, .creating)))
        } catch let status as SFTPStatus where status.isMissing || status.isUnexplained {
            // Folders that are missing are usually the reason; where they are not, the second attempt says the same.
            try checkRepository(connection)
            try makeFolders(of: name, connection)
            handle = try connection.handle(connection.send(.open(temporary, .creating)))
        }
        try connection.write(content, handle)
    }

    /// Gives a complete file its name, unless the same content has it by now.
    ///
    /// Plain renaming never replaces with OpenSSH's server. Others may replace: of them a link is asked for where a name does
    /// not say what the content is.
    private func publish(
        _ temporary: String, as path: String, _ content: [UInt8], _ name: StoredName,
        _ connection: SFTPConnection
    ) throws {
        if name == .config, try hasLinked(temporary, to: path, content, connection) { return }
        do {
            try connection.finish(connection.send(.rename(temporary, to: path)))
        } catch let status as SFTPStatus {
            // Another thread or process was quicker.
            if try hasStored(content, path, connection) { return connection.post(.remove(temporary)) }
            guard connection.extensions.contains(.replacing) else { throw status }
            // Nobody has the name, so nothing is replaced unless two make a repository at the same place at the same moment.
            try connection.finish(connection.send(.replace(path, by: temporary)))
        }
    }

    /// Gives a complete file its name as a second one, and takes the first from it.
    /// - Returns: false where the server or its file system has no links.
    private func hasLinked(
        _ temporary: String, to path: String, _ content: [UInt8], _ connection: SFTPConnection
    ) throws -> Bool {
        guard connection.extensions.contains(.linking) else { return false }
        do {
            try connection.finish(connection.send(.link(temporary, to: path)))
        } catch is SFTPStatus {
            // Because there are no links, or because another process was quicker.
        }
        // rclone's server (1.60) says that it has linked, and has done nothing.
        guard try hasStored(content, path, connection) else { return false }
        connection.post(.remove(temporary))
        return true
    }

    /// What OpenSSH's server says of a full disk is that something failed. Whether the disk is full, it can be asked.
    private func explained(
        _ error: any Error, storing count: Int, _ path: String, _ connection: SFTPConnection
    ) throws -> any Error {
        guard let status = error as? SFTPStatus, status.isUnexplained,
            let free = try connection.freeSpace(in: root.path), free < Int64(count)
        else { return error }
        return StorageError(
            .general, .noSpace, "no space left on the server. What was stored before is intact.",
            subject(path))
    }

    // MARK: Folders

    /// Makes the folder of the repository, and those above it that are missing.
    private func makeRoot(_ path: String, _ connection: SFTPConnection) throws {
        if try connection.attributes(of: path, following: true) != nil {
            return try checkRepository(connection)
        }
        var missing = [path]
        while let slash = missing[0].lastIndex(of: "/"), slash > missing[0].startIndex {
            let parent = String(missing[0][..<slash])
            if try connection.attributes(of: parent, following: true) != nil { break }
            missing.insert(parent, at: 0)
        }
        for folder in missing { try makeFolders([folder], connection) }
    }

    /// Makes the folders on the way to a file that are missing, and their names durable.
    private func makeFolders(of name: StoredName, _ connection: SFTPConnection) throws {
        guard case .file(let kind, _) = name else { return }
        try makeFolders([root.path(of: kind.rawValue)], connection)
        try connection.flushNames(in: root.path)
        guard kind == .data else { return }
        try makeFolders([folder(of: name)], connection)
        try connection.flushNames(in: root.path(of: kind.rawValue))
    }

    /// Makes folders side by side, unless they are there.
    private func makeFolders(_ folders: [String], _ connection: SFTPConnection) throws {
        let replies = try folders.map { try connection.send(.makeFolder($0)) }
        for (folder, reply) in zip(folders, replies) {
            do {
                try connection.finish(reply)
            } catch let status as SFTPStatus {
                // Most servers say of what exists only that something failed.
                guard let found = try connection.attributes(of: folder, following: true) else { throw status }
                guard found.kind == .folder || found.kind == nil else {
                    throw StorageError(.general, .unsupported, "not a folder", subject(folder))
                }
            }
        }
    }
}
