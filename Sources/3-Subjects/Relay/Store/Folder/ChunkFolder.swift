import Synchronization
package import SystemPackage
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
import ValiseXFTPWire

/// Something that happened, for whoever asks.
private final class SharedFlag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}

/// The bodies of chunks as files of a folder, named for the sender's name: the layout of the official relay.
///
/// A body is written to a file with the ending `.partial`, flushed, renamed, and the folder is flushed, once for all who publish at
/// the same moment. One process at a time has the folder for its own, unless each upload has a name of its own.
package final class ChunkFolder: ChunkBytes {
    package let sharesNames: Bool
    let path: FilePath
    let fileSystem: FileSystem
    private let names: GroupCommit<Void>
    /// A flush of the folder failed: the system may have thrown away what was not flushed, and says so only once.
    private let isDoubtful: SharedFlag
    private let partials = Atomic(0)

    /// - Parameters:
    ///   - path: of the folder, which exists.
    ///   - sharesNames: false for records that several processes have, which give each upload a name of its own.
    ///   - fileSystem: of all operations.
    package init(_ path: FilePath, sharesNames: Bool = true, fileSystem: FileSystem = FileSystem()) {
        self.path = path
        self.sharesNames = sharesNames
        self.fileSystem = fileSystem
        let isDoubtful = SharedFlag()
        self.isDoubtful = isDoubtful
        names = GroupCommit { _ in
            // Whoever waited for the flush that failed has names that it may have thrown away.
            if isDoubtful.isSet { throw Self.doubt(path) }
            do throws(FileError) {
                try fileSystem.synchronizeDirectory(path)
            } catch {
                // The others are failures to open it.
                if [.ioError, .noSpace, .diskQuotaExceeded].contains(error.errno) { isDoubtful.set() }
                throw error
            }
        }
    }

    /// - Throws: ``XFTPStoreError`` after a flush that failed: no later one would prove anything.
    private func checkNames() throws(XFTPStoreError) {
        if isDoubtful.isSet { throw Self.doubt(path) }
    }

    private static func doubt(_ path: FilePath) -> XFTPStoreError {
        XFTPStoreError(
            .failed,
            "the disk failed to store chunk IDs. No new chunks are accepted until the relay is restarted. "
                + "Check the system log first.", subject: path.string, answer: .fileIO)
    }

    package func location(of name: BodyName) -> String { file(of: name).string }

    func file(of name: BodyName) -> FilePath { path.appending(name.text) }

    // MARK: Taking in

    package func begin(_ name: BodyName, size: UInt32, digest: [UInt8]) throws -> any IncomingBody {
        do throws(FileError) {
            return IncomingFile(self, name, size: size, digest: digest, try createPartial(name))
        } catch {
            throw XFTPStoreError(error)
        }
    }

    /// A file for a body that is coming in. Several may come for one chunk.
    private func createPartial(_ name: BodyName) throws(FileError) -> OpenFile {
        let number = partials.add(1, ordering: .relaxed).newValue
        return try fileSystem.create(file(of: name).appendingSuffix(".\(number)\(PendingFile.suffix)"))
    }

    /// Gives a body that is durable its name, durably.
    func publish(_ partial: FilePath, as name: BodyName) throws {
        try checkNames()
        try fileSystem.rename(partial, to: file(of: name))
        try names.commit(())
    }

    /// What cannot be removed now is removed at the next start.
    func removePartial(_ partial: FilePath) { try? fileSystem.remove(partial) }

    // MARK: Bodies

    package func open(_ name: BodyName, size: UInt32) throws -> (any OpenBody)? {
        do throws(FileError) {
            let source = try FileSource(file(of: name), fileSystem: fileSystem)
            return source.size == Int64(size) ? OpenedFile(source) : nil
        } catch {
            guard error.code == .notFound else { throw XFTPStoreError(error) }
            return nil
        }
    }

    /// That it has gone is not durable yet.
    package func remove(_ name: BodyName) throws {
        do throws(FileError) {
            try fileSystem.remove(file(of: name))
        } catch {
            guard error.code == .notFound else { throw XFTPStoreError(error) }
        }
    }

    package func synchronize() throws {
        do {
            try names.commit(())
        } catch {
            throw XFTPStoreError(error)
        }
    }

    // MARK: Names

    /// What a name in the folder is of.
    enum Name: Equatable {
        case body(BodyName)
        /// What an interrupted upload left.
        case partial
        case foreign
    }

    static func name(_ bytes: [UInt8]) -> Name {
        var text = String(decoding: bytes, as: UTF8.self)[...]
        let isPartial = text.hasSuffix(PendingFile.suffix)
        if isPartial { text = text.prefix { $0 != "." } }
        guard let name = BodyName(text) else { return .foreign }
        return isPartial ? .partial : .body(name)
    }

    /// Sorts all names first: 24 bytes of memory for each.
    package func list(after name: BodyName?, _ visit: (ListedBody) throws -> Bool) throws {
        for name in try names(after: name) {
            guard let body = try listed(name) else { continue }
            guard try visit(body) else { return }
        }
    }

    private func names(after name: BodyName?) throws(XFTPStoreError) -> [BodyName] {
        var names: [BodyName] = []
        do throws(FileError) {
            try fileSystem.forEachEntry(of: path) { entry throws(FileError) in
                guard entry.kind == .regular, case .body(let found) = Self.name(entry.nameBytes) else {
                    return
                }
                if name.map({ $0 < found }) ?? true { names.append(found) }
            }
        } catch {
            throw XFTPStoreError(error)
        }
        return names.sorted()
    }

    private func listed(_ name: BodyName) throws(XFTPStoreError) -> ListedBody? {
        do throws(FileError) {
            return try attributes(of: name)
        } catch {
            throw XFTPStoreError(error)
        }
    }

    package func takeStock(_ visit: (ListedBody) throws -> Void) throws -> StockReport {
        var report = StockReport()
        var partials: [FilePath] = []
        var failure: (any Error)?
        do throws(FileError) {
            try fileSystem.forEachEntry(of: path) { entry throws(FileError) in
                guard failure == nil else { return }
                switch entry.kind == .regular ? Self.name(entry.nameBytes) : .foreign {
                case .foreign: report.foreignEntries += 1
                case .partial:
                    if let name = FilePath.Component(bytes: entry.nameBytes) {
                        partials.append(path.appending(name))
                    }
                case .body(let name):
                    guard let body = try attributes(of: name) else { return }
                    do {
                        try visit(body)
                    } catch {
                        failure = error
                    }
                }
            }
        } catch {
            throw XFTPStoreError(error)
        }
        if let failure { throw failure }
        for partial in partials {
            do throws(FileError) {
                try fileSystem.remove(partial)
                report.removedPartials += 1
            } catch {
                report.removalFailure = report.removalFailure ?? XFTPStoreError(error)
            }
        }
        return report
    }

    private func attributes(of name: BodyName) throws(FileError) -> ListedBody? {
        guard let found = try fileSystem.attributes(of: file(of: name)) else { return nil }
        return ListedBody(name: name, size: found.size, modified: found.modificationTime)
    }
}
