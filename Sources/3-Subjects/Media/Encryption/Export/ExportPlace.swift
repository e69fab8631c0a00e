import SystemPackage
import ValiseAccounts
import ValiseFailures
import ValiseFiles

/// The folder of an export: anywhere but where an account would take the copies for its own files.
struct ExportPlace {
    let path: FilePath

    /// - Throws: ``MediaEncryptionError`` with `invalid`; ``FileError``: `unsupported` where something that is no folder is in
    ///   the way.
    init(_ out: FilePath, _ location: AccountLocation, _ fileSystem: FileSystem) throws {
        path = out
        let resolved = try Self.resolved(out, fileSystem)
        let account = try Self.resolved(location.directory, fileSystem)
        let folders = try [location.filesFolder, location.wallpapersFolder].map {
            try Self.resolved($0, fileSystem)
        }
        guard !account.starts(with: resolved), !folders.contains(where: { resolved.starts(with: $0) }) else {
            throw MediaEncryptionError(
                .invalid,
                "the export folder must not contain the account or be part of it. Nothing was changed.",
                subject: out.string)
        }
        let nearest = try fileSystem.nearestExisting(out)
        guard try fileSystem.isDirectory(nearest) else {
            throw FileError(.unsupported, "not a folder", nearest)
        }
    }

    /// Without links and dots; what is not there yet, as it will be.
    private static func resolved(_ path: FilePath, _ fileSystem: FileSystem) throws -> FilePath {
        var here = path
        var rest: [FilePath.Component] = []
        while !(try fileSystem.exists(here)) {
            guard let last = here.lastComponent else { break }
            rest.insert(last, at: 0)
            here = here.parentFolder
        }
        return try fileSystem.resolve(here).appending(rest).lexicallyNormalized()
    }
}
