import SystemPackage
import ValiseFailures
import ValiseFiles

extension FolderObjectStore {
    @discardableResult
    package func put(
        _ key: ObjectKey, _ content: [UInt8], if condition: WriteCondition
    ) throws -> ObjectVersion {
        try put(key, size: content.count, if: condition) { file throws(FileError) in try file.write(content) }
    }

    @discardableResult
    package func put(
        _ key: ObjectKey, _ source: ObjectSource, if condition: WriteCondition
    ) throws -> ObjectVersion {
        // What is no failure of this folder.
        var failure: (any Error)?
        do {
            return try put(key, size: Int(source.size), if: condition) { file throws(FileError) in
                do {
                    try unsafe source.forEachPiece { try unsafe file.write($0) }
                } catch let error as FileError {
                    throw error
                } catch {
                    failure = error
                    throw FileError(.failed, "cannot read the source of the object", file.path)
                }
            }
        } catch {
            throw failure ?? error
        }
    }

    /// - Parameters:
    ///   - size: in bytes.
    ///   - fill: writes the content.
    private func put(
        _ key: ObjectKey, size: Int, if condition: WriteCondition,
        _ fill: (inout OpenFile) throws(FileError) -> Void
    ) throws -> ObjectVersion {
        guard !isReserved(key) else {
            throw StorageError(
                .general, .invalid, "the folder \(Self.workName) of a store is reserved", key.text)
        }
        let version = try attempt(storing: size) { () throws(FileError) -> ObjectVersion? in
            // What is refused anyway need not be written.
            guard try isMet(condition, key) else { return nil }
            try prepareWork()
            return try write(key, condition, fill)
        }
        guard let version else { throw StorageError.changed(key, condition) }
        return version
    }

    /// - Returns: nil where the condition is not met.
    private func write(
        _ key: ObjectKey, _ condition: WriteCondition, _ fill: (inout OpenFile) throws(FileError) -> Void
    ) throws(FileError) -> ObjectVersion? {
        let path = path(of: key)
        let temporary = newTemporary()
        return try fileSystem.removing(temporary, instead: path) { () throws(FileError) -> ObjectVersion? in
            let version = try writeTemporary(temporary, fill)
            let isPublished = try locked { durable throws(FileError) in
                guard try isMet(condition, key) else { return false }
                try makeFolders(of: key, &durable)
                try removeEmptyFolders(path)
                return try publish(temporary, path, condition)
            }
            guard isPublished else {
                try fileSystem.remove(temporary)
                return nil
            }
            try flushNearest(of: key)
            return version
        }
    }

    /// Makes a file with all of its content, durable but for its name.
    private func writeTemporary(
        _ temporary: FilePath, _ fill: (inout OpenFile) throws(FileError) -> Void
    ) throws(FileError) -> ObjectVersion {
        var file = try fileSystem.create(temporary)
        try fill(&file)
        do throws(FileError) {
            let seconds = try file.attributes().modificationTime
            try file.setModificationTime(seconds, nanoseconds: .random(in: 0..<1_000_000_000))
        } catch  where error.isRefusalOfAttributes {
            // The inode has to do.
        }
        try file.synchronize()
        let version = ObjectVersion(try file.attributes())
        try file.close()
        return version
    }

    private func isMet(_ condition: WriteCondition, _ key: ObjectKey) throws(FileError) -> Bool {
        condition.isMet(by: try file(of: key).map { ObjectVersion($0) })
    }

    /// - Returns: whether nobody was quicker who does not know our lock.
    private func publish(
        _ temporary: FilePath, _ path: FilePath, _ condition: WriteCondition
    ) throws(FileError) -> Bool {
        guard condition == .isAbsent else {
            try fileSystem.rename(temporary, to: path)
            return true
        }
        do throws(FileError) {
            try fileSystem.renameExclusively(temporary, to: path)
        } catch  where error.code == .alreadyExists {
            return false
        } catch  where error.remedy == .chooseAnotherFileSystem {
            // Such as a mounted server. Under the lock a look is enough.
            try fileSystem.rename(temporary, to: path)
        }
        return true
    }

    // MARK: Removing

    package func remove(_ key: ObjectKey) throws {
        guard !isReserved(key) else { return }
        try attempt { () throws(FileError) in
            if try file(of: key) != nil {
                try prepareWork()
                try locked { durable throws(FileError) in
                    // Another thread or process may have been quicker.
                    guard try file(of: key) != nil else { return }
                    try fileSystem.remove(path(of: key))
                    removeEmptyParents(of: key, &durable)
                }
            }
            // Whoever removed it may have been killed before this.
            try flushNearest(of: key)
        }
    }
}
