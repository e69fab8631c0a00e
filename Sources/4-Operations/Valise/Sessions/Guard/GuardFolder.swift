import SystemPackage
import ValiseConcurrency
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseSessionStore

/// A guard on disk: a folder of the form of the store it was taken of, without attachments, with a record.
struct GuardFolder: Sendable {
    let path: FilePath
    let record: GuardRecord
    private let fileSystem: FileSystem

    /// Stands in the names of guards, between that of the store and the time.
    static let infix = "-guard-"

    /// - Throws: ``OperationError``: `notFound`, `newer`, `damaged`; `FileError`.
    init(_ path: FilePath, _ fileSystem: FileSystem) throws {
        guard try Self.isOne(path, fileSystem) else {
            throw OperationError(.notFound, "no guard of a store of Session", subject: path.string)
        }
        self.path = path
        self.fileSystem = fileSystem
        record = try GuardRecord.read(in: path, fileSystem)
    }

    /// Whether there is a record of a guard, which may be damaged.
    /// - Throws: `FileError`.
    static func isOne(_ path: FilePath, _ fileSystem: FileSystem) throws(FileError) -> Bool {
        guard try fileSystem.isDirectory(path) else { return false }
        return try fileSystem.attributes(of: path.appending(GuardRecord.fileName))?.kind == .regular
    }

    /// Those in a folder, by their names. Entries that are no guards are passed over.
    /// - Parameters:
    ///   - folder: which contains them.
    ///   - lead: what their names begin with.
    /// - Throws: `FileError`.
    static func paths(in folder: FilePath, lead: String, _ fileSystem: FileSystem) throws -> [FilePath] {
        try fileSystem.list(folder).compactMap { entry -> FilePath? in
            guard entry.kind == .directory, let name = entry.name, name.hasPrefix(lead) else { return nil }
            let path = folder.appending(name)
            do throws(FileError) {
                return try isOne(path, fileSystem) ? path : nil
            } catch {
                // One that cannot be looked into is told of, but only what has the name of one.
                return name.contains(infix) ? path : nil
            }
        }.sorted { $0.string < $1.string }
    }

    /// The store in it.
    /// - Throws: ``OperationError`` with `damaged` where it is of another kind than the record says; `FileError`.
    func place() throws -> SessionPlace {
        guard let place = try SessionPlace.find(path, fileSystem: fileSystem), place.kind == record.program
        else {
            throw OperationError(.damaged, "the guard has no database", subject: path.string)
        }
        return place
    }

    /// Compares every file with the record.
    ///
    /// - Parameters:
    ///   - folder: where the files are; nil for the guard itself.
    ///   - largest: larger files are not looked at, in bytes.
    ///   - progress: throw to stop.
    /// - Throws: ``OperationError`` with `damaged`; `FileError`; whatever `progress` throws.
    func verifyFiles(
        in folder: FilePath? = nil, largest: Int64 = .max, _ progress: ProgressHandler
    ) throws {
        let folder = folder ?? path
        var done: Int64 = 0
        for file in record.files where file.size <= largest {
            let path = folder.pushing(FilePath(file.path))
            guard let found = try fileSystem.attributes(of: path), found.kind == .regular else {
                throw damaged("a file of the guard is missing", path)
            }
            guard found.size == file.size else {
                throw damaged(
                    "the file has \(Count.bytes(found.size)), but \(Count.bytes(file.size)) were recorded",
                    path)
            }
            let start = done
            let hash = try FileFingerprint.of(path, fileSystem) { count in
                try progress(
                    OperationProgress(
                        "verifying the guard", completed: start.saturatingSum(count), total: record.size,
                        unit: .bytes))
            }
            guard hash == file.sha256 else { throw damaged("the file is not what was recorded", path) }
            done = done.saturatingSum(file.size)
        }
        // A log that is not recorded would change what the database says.
        let known = Set(record.files.map(\.path))
        for side in record.program.stateFiles?.sides ?? [] where !known.contains(side.string) {
            let path = folder.pushing(side)
            if try fileSystem.exists(path) { throw damaged("the file was not recorded", path) }
        }
    }

    private func damaged(_ message: String, _ path: FilePath) -> OperationError {
        OperationError(.damaged, message, subject: path.string)
    }
}

/// The digest of a file, as records have it.
enum FileFingerprint {
    /// - Parameter progress: gets the bytes done; throw to stop.
    /// - Throws: `FileError`; whatever `progress` throws.
    static func of(
        _ path: FilePath, _ fileSystem: FileSystem, progress: (Int64) throws -> Void = { _ in }
    ) throws -> String {
        Hexadecimal.encode(try SHA256.hash(FileSource(path, fileSystem: fileSystem), progress: progress))
    }
}
