import SystemPackage
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// Gives all files of a folder a second name in another, or copies them where the file system has no hard links.
///
/// Whatever replaces a file by renaming leaves its twin as it was.
struct FolderTwin {
    private let fileSystem: FileSystem
    private(set) var media = PreviousAccount.Media()
    private var bytes: Int64 = 0

    init(_ fileSystem: FileSystem) {
        self.fileSystem = fileSystem
    }

    /// - Parameters:
    ///   - folder: a link to one is followed; what is not there has no files.
    ///   - twin: a folder that is there.
    mutating func make(of folder: FilePath, at twin: FilePath, _ progress: ProgressHandler) throws {
        guard try fileSystem.isDirectory(folder) else { return }
        let folder = try fileSystem.resolve(folder)
        for entry in try fileSystem.list(folder) {
            guard let name = FilePath.Component(bytes: entry.nameBytes) else { continue }
            switch entry.kind {
            case .regular: try add(folder.appending(name), as: twin.appending(name), progress)
            case .directory:
                try fileSystem.makeDirectory(twin.appending(name))
                try make(of: folder.appending(name), at: twin.appending(name), progress)
            // Not a part of an account.
            case .symbolicLink, .special: continue
            }
        }
    }

    /// The bytes of all that a twin of a folder has.
    static func size(of folder: FilePath, _ fileSystem: FileSystem) throws(FileError) -> Int64 {
        guard try fileSystem.isDirectory(folder) else { return 0 }
        let folder = try fileSystem.resolve(folder)
        var total: Int64 = 0
        for entry in try fileSystem.list(folder) {
            guard let name = FilePath.Component(bytes: entry.nameBytes) else { continue }
            switch entry.kind {
            case .regular: total += try fileSystem.attributes(of: folder.appending(name))?.size ?? 0
            case .directory: total += try size(of: folder.appending(name), fileSystem)
            case .symbolicLink, .special: continue
            }
        }
        return total
    }

    private mutating func add(_ path: FilePath, as second: FilePath, _ progress: ProgressHandler) throws {
        try progress(
            OperationProgress(
                "keeping the previous account's media", completed: Int64(media.linked), unit: .items))
        do throws(FileError) {
            try fileSystem.link(path, as: second)
            media.linked += 1
        } catch {
            guard [.denied, .unsupported].contains(error.code) || error.errno == .tooManyLinks else {
                throw error
            }
            try copy(path, to: second, progress)
        }
    }

    private mutating func copy(_ path: FilePath, to second: FilePath, _ progress: ProgressHandler) throws {
        var bytes = bytes
        try fileSystem.copy(path, to: second) { count in
            bytes += count
            try progress(OperationProgress("copying the previous account's media", completed: bytes))
        }
        self.bytes = bytes
        media.copied += 1
    }
}
