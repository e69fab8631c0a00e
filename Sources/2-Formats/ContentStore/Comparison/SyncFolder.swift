import SystemPackage
import ValiseFailures
import ValiseFiles

/// The folder of a synchronization: nothing is written outside of it, whatever links are in it.
struct SyncFolder: Sendable {
    let folder: FilePath
    let fileSystem: FileSystem

    /// Where a path of the store lies.
    func file(_ path: StorePath) -> FilePath {
        path.components.reduce(folder) { $0.appending(String($1)) }
    }

    /// Makes the folders above a path.
    /// - Throws: `FileError`: `unsupported` where one of them is a file or a link.
    func makeFolders(above path: StorePath) throws {
        var place = folder
        for component in path.components.dropLast() {
            place = place.appending(String(component))
            switch try fileSystem.attributes(of: place)?.kind {
            case .directory?: continue
            case nil: try makeFolder(place)
            default: throw FileError(.unsupported, "not a folder. Nothing was written.", place)
            }
        }
    }

    /// Another file may need the same one at the same moment.
    private func makeFolder(_ place: FilePath) throws {
        do throws(FileError) {
            try fileSystem.makeDirectory(place)
        } catch  where error.code == .alreadyExists {
            guard try fileSystem.attributes(of: place)?.kind == .directory else { throw error }
        }
        try fileSystem.synchronizeDirectory(place.parentFolder)
    }

    /// Whether a path still has what was compared.
    func isUnchanged(_ path: StorePath, _ state: LocalState?) throws -> Bool {
        guard try isInside(path) else { return state == nil }
        guard let attributes = try fileSystem.attributes(of: file(path)) else { return state == nil }
        guard let state else { return false }
        return state.kind == (attributes.kind == .symbolicLink ? .link : .file) && state.isSame(attributes)
    }

    /// Whether all folders above a path are folders.
    private func isInside(_ path: StorePath) throws -> Bool {
        try path.ancestors.allSatisfy { try fileSystem.attributes(of: file($0))?.kind == .directory }
    }

    /// Removes a file or a link, durably.
    func remove(_ path: StorePath) throws {
        let file = file(path)
        try fileSystem.remove(file)
        try fileSystem.synchronizeDirectory(file.parentFolder)
    }

    /// The target of a link.
    /// - Throws: ``ContentStoreError``: `unsupported` where its bytes are not UTF-8; `FileError`.
    func target(of path: StorePath) throws -> String {
        let bytes = try fileSystem.symbolicLinkTarget(of: file(path))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ContentStoreError(.unsupported, "the target of the symbolic link is not UTF-8", path.text)
        }
        return text
    }
}
