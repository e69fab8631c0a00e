import Synchronization
import SystemPackage
import ValiseFailures
import ValiseFiles

/// Files that the disk writes while their writer goes on.
extension FolderStore {
    /// More packs would take the system's memory for what a slow disk has not written.
    private static let mostUnsettled = 8

    package var writesBehind: Bool { true }

    package func putBehind(_ name: StoredName, _ content: [UInt8]) throws -> (any UnsettledFile)? {
        let begun = try attempt(storing: content.count) { () throws(FileError) -> WrittenBehind? in
            try checkRepository()
            try makeFolders(of: name)
            let path = path(of: name)
            if try hasStored(content, path) {
                // Who stored it may have been killed before this.
                try fileSystem.flushNames(in: folder(of: name))
                return nil
            }
            let temporary = TemporaryName.beside(path)
            let file = try fileSystem.removing(temporary, instead: path) { () throws(FileError) in
                let file = try write(content, temporary)
                file.startWriteback(0..<Int64(content.count))
                return file
            }
            return WrittenBehind(self, path, temporary, size: content.count, file)
        }
        guard let begun else { return nil }
        let oldest = unsettled.withLock { files in
            files.append(begun)
            return files.count > Self.mostUnsettled ? files.first : nil
        }
        // Whoever is faster than the disk waits for it. What fails is told to whom it belongs.
        try? oldest?.settle()
        return begun
    }

    /// What reads a file that is not settled would not find it.
    func settle(_ name: StoredName) throws {
        let path = path(of: name)
        try unsettled.withLock { $0.first { $0.path == path } }?.settle()
    }

    func settleAll(_ kind: StoredKind) throws {
        guard kind == .data else { return }
        for file in unsettled.withLock({ $0 }) { try file.settle() }
    }

    fileprivate func finish(_ file: consuming OpenFile, of written: WrittenBehind) throws(StorageError) {
        let (path, temporary) = (written.path, written.temporary)
        var file: OpenFile? = file
        try attempt(storing: written.size) { () throws(FileError) in
            try fileSystem.removing(temporary, instead: path) { () throws(FileError) in
                if let file = file.take() { try flush(file) }
                try publish(temporary, as: path) { () throws(FileError) in
                    try fileSystem.openForReading(temporary).bytes(at: 0, count: written.size)
                }
            }
            try fileSystem.flushNames(in: path.parentFolder)
        }
    }
}

/// A file that is written, under its temporary name, and not flushed.
final class WrittenBehind: UnsettledFile {
    private enum State: ~Copyable, Sendable {
        case written(OpenFile)
        case ended((any Error)?)
    }

    let path: FilePath
    let temporary: FilePath
    /// In bytes.
    let size: Int
    private let store: FolderStore
    /// Whoever comes second waits until the first one is done.
    private let state: Mutex<State>

    init(
        _ store: FolderStore, _ path: FilePath, _ temporary: FilePath, size: Int,
        _ file: consuming sending OpenFile
    ) {
        self.store = store
        self.path = path
        self.temporary = temporary
        self.size = size
        state = Mutex(.written(file))
    }

    func settle() throws {
        let failure = end { file in
            do {
                try self.store.finish(file, of: self)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    func abandon() {
        _ = end { _ in
            try? self.store.fileSystem.remove(self.temporary)
            return FileError(.failed, "nobody wanted the file any more", self.path)
        }
    }

    private func end(_ body: (consuming OpenFile) -> (any Error)?) -> (any Error)? {
        let failure: (any Error)? = state.withLock { state in
            switch exchange(&state, with: .ended(nil)) {
            case .written(let file):
                let failure = body(file)
                state = .ended(failure)
                return failure
            case .ended(let failure):
                state = .ended(failure)
                return failure
            }
        }
        store.unsettled.withLock { files in files.removeAll { $0 === self } }
        return failure
    }
}
