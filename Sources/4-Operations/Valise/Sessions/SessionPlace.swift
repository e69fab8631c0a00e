package import SystemPackage
import ValiseFiles
package import ValiseSessionStore

/// A store of Session at a path: which program's, and where.
package enum SessionPlace: Sendable {
    /// The profile of Session Desktop, or a copy of one.
    case desktop(DesktopProfile)
    /// The shared folder of Session iOS, copied off a phone or extracted from a backup.
    case phone(PhoneContainer)
    /// A `session.bak` of Session iOS.
    case backup(FilePath)

    /// What is at a path; nil for something else.
    /// - Throws: `FileError`.
    package static func find(_ path: FilePath, fileSystem: FileSystem = FileSystem()) throws -> SessionPlace?
    {
        if try fileSystem.isDirectory(path) {
            // Above a database of either name there is always a folder.
            if let profile = try? DesktopProfile(path, fileSystem: fileSystem) { return .desktop(profile) }
            if let container = try? PhoneContainer(path, fileSystem: fileSystem) { return .phone(container) }
            return nil
        }
        guard try fileSystem.attributes(of: path)?.kind == .regular else { return nil }
        return try SessionBackup.begins(FileSource(path)) ? .backup(path) : nil
    }

    /// The same where there has to be one.
    /// - Throws: `FileError`; ``OperationError``: `notFound`, `unsupported`.
    package static func require(_ path: FilePath) throws -> SessionPlace {
        if let place = try find(path) { return place }
        if let interrupted = try SessionSwap.error(for: path) { throw interrupted }
        if let elsewhere = try SiblingProfiles.error(for: path) { throw elsewhere }
        guard try FileSystem().exists(path) else {
            throw OperationError(.notFound, "no such file or folder", subject: path.string)
        }
        throw OperationError(
            .unsupported,
            "neither a profile of Session Desktop, nor a folder or a backup of Session iOS",
            subject: path.string)
    }

    /// The folder or the file.
    package var path: FilePath {
        switch self {
        case .desktop(let profile): profile.folder
        case .phone(let container): container.folder
        case .backup(let path): path
        }
    }

    /// The database; nil where it is in a backup.
    package var database: FilePath? {
        switch self {
        case .desktop(let profile): profile.database
        case .phone(let container): container.database
        case .backup: nil
        }
    }

    /// In documents.
    package var kind: Kind {
        switch self {
        case .desktop: .desktop
        case .phone: .phone
        case .backup: .backup
        }
    }

    /// Which program's store it is.
    package enum Kind: String, Sendable, Codable {
        case desktop
        case phone = "ios"
        case backup = "session.bak"

        /// In a sentence.
        package var name: String {
            switch self {
            case .desktop: "profile of Session Desktop"
            case .phone: "folder of Session iOS"
            case .backup: "backup of Session iOS"
            }
        }
    }
}
