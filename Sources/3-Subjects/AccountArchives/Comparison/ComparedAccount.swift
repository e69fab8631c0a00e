public import SystemPackage
public import ValiseAccounts
import ValiseFailures
public import ValiseFiles

/// One of the two accounts that are compared.
public enum ComparedAccount: Sendable, Equatable {
    /// A zip file.
    case archive(FilePath)
    /// An account in a folder.
    case folder(AccountLocation)

    /// Looks what is there: a file is an archive, everything else the place of an account.
    ///
    /// - Parameter path: links are followed; a folder, or folder and prefix in one.
    /// - Throws: ``ComparisonError`` and ``AccountError``: `notFound`, or `invalid` where several accounts are; ``FileError``.
    public static func find(
        _ path: FilePath, fileSystem: FileSystem = FileSystem()
    ) throws -> ComparedAccount {
        if try fileSystem.exists(path), let target = try? fileSystem.resolve(path),
            try fileSystem.attributes(of: target)?.kind == .regular
        {
            return .archive(path)
        }
        do {
            return .folder(try AccountLocation.find(path, fileSystem: fileSystem))
        } catch let error as AccountError where error.code == .notFound {
            guard try fileSystem.isDirectory(path) else {
                throw ComparisonError(
                    .notFound, "neither an archive nor an account is here", subject: path.string)
            }
            throw error
        }
    }

    /// Where it is.
    public var path: FilePath {
        switch self {
        case .archive(let path): path
        case .folder(let location): location.directory
        }
    }
}
