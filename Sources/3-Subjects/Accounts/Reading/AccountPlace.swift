public import SystemPackage
import ValiseFailures
package import ValiseFiles

/// Where an account is that is read.
public enum AccountPlace: Sendable, Equatable {
    /// A zip file, read where it is.
    case archive(FilePath)
    /// An account in a folder.
    case folder(AccountLocation)

    /// Looks what is there: a file is an archive, everything else the place of an account.
    ///
    /// - Parameters:
    ///   - path: links are followed; a folder, or folder and prefix in one.
    ///   - prefix: which account, where the folder holds several.
    ///   - fileSystem: where it is looked for.
    /// - Throws: `AccountError`: `notFound`, or `invalid` where several accounts are; `FileError`.
    package static func find(
        _ path: FilePath, prefix: String? = nil, fileSystem: FileSystem = FileSystem()
    ) throws -> AccountPlace {
        if try fileSystem.exists(path), let target = try? fileSystem.resolve(path),
            try fileSystem.attributes(of: target)?.kind == .regular
        {
            return .archive(path)
        }
        do {
            return .folder(try AccountLocation.find(path, prefix: prefix, fileSystem: fileSystem))
        } catch let error as AccountError where error.code == .notFound {
            guard try fileSystem.isDirectory(path) else {
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
