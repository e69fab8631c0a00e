public import SystemPackage
import ValiseFailures
package import ValiseFiles

/// Where an account is that is read.
public enum AccountPlace: Sendable, Equatable {
    /// A zip file, read where it is.
    case archive(FilePath)
    /// An account in a folder.
    case folder(AccountLocation)

    /// Whether a path is read as an archive: a file is one, unless it has the name of a database. Links are followed.
    /// - Throws: `FileError`.
    package static func isArchive(
        _ path: FilePath, fileSystem: FileSystem = FileSystem()
    ) throws -> Bool {
        guard try fileSystem.exists(path), !AccountLocation.isDatabaseName(path),
            let target = try? fileSystem.resolve(path)
        else { return false }
        return try fileSystem.attributes(of: target)?.kind == .regular
    }

    /// Looks what is there: an archive, or the place of an account.
    ///
    /// - Parameters:
    ///   - path: links are followed; a folder, or folder and prefix in one.
    ///   - prefix: which account, where the folder holds several.
    ///   - fileSystem: where it is looked for.
    /// - Throws: `AccountError`: `notFound`, or `invalid` where several accounts are; `FileError`.
    package static func find(
        _ path: FilePath, prefix: String? = nil, fileSystem: FileSystem = FileSystem()
    ) throws -> AccountPlace {
        if try isArchive(path, fileSystem: fileSystem) { return .archive(path) }
        do {
            return .folder(try AccountLocation.find(path, prefix: prefix, fileSystem: fileSystem))
        } catch let error as AccountError where error.code == .notFound {
            // Of a database the error says more.
            guard try fileSystem.isDirectory(path) || AccountLocation.isDatabaseName(path) else {
                throw AccountError(.notFound, "neither an archive nor an account", path)
            }
            throw error
        }
    }

    /// Where it is.
    package var path: FilePath {
        switch self {
        case .archive(let path): path
        case .folder(let location): location.directory
        }
    }
}
