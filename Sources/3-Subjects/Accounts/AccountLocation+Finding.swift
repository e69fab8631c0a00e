public import SystemPackage
import ValiseFailures
public import ValiseFiles

extension AccountLocation {
    /// Finds the account in a folder, or by the path of its prefix.
    ///
    /// - Parameters:
    ///   - path: the folder; or folder and prefix in one, as `--database` of the official program takes it.
    ///   - prefix: which account, where the folder holds several.
    ///   - fileSystem: where it is looked for.
    /// - Throws: `AccountError`: `notFound`, or `invalid` when there are several and no prefix is given;
    ///   `FileError`.
    public static func find(
        _ path: FilePath, prefix: String? = nil, fileSystem: FileSystem = FileSystem()
    ) throws -> AccountLocation {
        if let prefix {
            try checkPrefix(prefix, path)
            let location = try at(path, prefix: prefix, fileSystem)
            guard try location.hasTraces(fileSystem) else {
                throw AccountError(
                    .notFound, "no account with the prefix '\(prefix)' in this folder", path)
            }
            return location
        }
        if let name = path.lastComponent?.string, !(try fileSystem.isDirectory(path)) {
            let location = try at(path.parentFolder, prefix: name, fileSystem)
            if try location.hasTraces(fileSystem) { return location }
        }
        let prefixes = try prefixes(in: path, fileSystem)
        guard let only = prefixes.first else {
            throw AccountError(
                .notFound,
                "no account in this folder (account databases end in _chat.db and _agent.db)",
                path)
        }
        guard prefixes.count == 1 else {
            throw AccountError(
                .invalid, "several accounts in this folder", path, remedy: .choosePrefix(path, prefixes))
        }
        return try at(path, prefix: only, fileSystem)
    }

    /// Where a new account goes, or the one that is there.
    /// - Throws: `AccountError` for a prefix that cannot be part of a file name, or where several accounts
    ///   are and none is chosen.
    public static func place(
        _ directory: FilePath, prefix: String? = nil, fileSystem: FileSystem = FileSystem()
    ) throws -> AccountLocation {
        guard let prefix else {
            do {
                return try find(directory, fileSystem: fileSystem)
            } catch let error as AccountError where error.code == .notFound {
                return try at(directory, prefix: usualPrefix, fileSystem)
            }
        }
        try checkPrefix(prefix, directory)
        return try at(directory, prefix: prefix, fileSystem)
    }

    static func checkPrefix(_ prefix: String, _ path: FilePath) throws(AccountError) {
        guard !prefix.isEmpty, !prefix.contains("/"), !prefix.hasPrefix("."), prefix.utf8.count <= 100,
            !prefix.unicodeScalars.contains(where: { $0.value < 32 })
        else { throw AccountError(.invalid, "the prefix cannot be part of a file name", path) }
    }

    private static func at(
        _ directory: FilePath, prefix: String, _ fileSystem: FileSystem
    ) throws(FileError) -> AccountLocation {
        let style: Style
        if prefix == "files" {
            style = .android
        } else if try fileSystem.exists(directory.appending("app_files")) {
            style = .ios
        } else {
            style = .desktop
        }
        return AccountLocation(directory: directory, prefix: prefix, style: style)
    }

    /// What extractions and exports of media make in their target: no work on an account.
    private static let foldersOfCopies: Set<String> = [".valise-extract", ".valise-export"]

    /// Every account of which anything is in a folder, its mark alone too.
    /// - Throws: `AccountError` with `notFound` where the folder is not there; `FileError`.
    static func all(in directory: FilePath, _ fileSystem: FileSystem) throws -> [AccountLocation] {
        let marked = try fileSystem.list(directory).compactMap { entry -> String? in
            guard let name = entry.name, name.hasSuffix(ReadOnlyMark.suffix) else { return nil }
            return String(name.dropLast(ReadOnlyMark.suffix.count))
        }
        return try Set(try prefixes(in: directory, fileSystem) + marked).sorted().filter { !$0.isEmpty }
            .map { try at(directory, prefix: $0, fileSystem) }
    }

    private static func prefixes(
        in directory: FilePath, _ fileSystem: FileSystem
    ) throws -> [String] {
        guard try fileSystem.isDirectory(directory) else {
            throw try noFolder(directory, fileSystem)
        }
        var found: Set<String> = []
        for entry in try fileSystem.list(directory) {
            guard let name = entry.name else { continue }
            for database in AccountDatabase.allCases
            where name.hasSuffix(database.suffix) && name != database.suffix && entry.kind == .regular {
                found.insert(String(name.dropLast(database.suffix.count)))
            }
            // Nothing else has a name that is looked for.
            if name.hasSuffix(RetiredMark.suffix), name != RetiredMark.suffix {
                found.insert(String(name.dropLast(RetiredMark.suffix.count)))
            }
            // An interrupted creation or import may have left nothing else.
            if name.hasPrefix(workPrefix), name != workPrefix, entry.kind == .directory,
                !foldersOfCopies.contains(name), try !isDownload(directory.appending(name), fileSystem)
            {
                found.insert(String(name.dropFirst(workPrefix.count)))
            }
        }
        return found.sorted()
    }

    /// Whether a path has the name of an account's database.
    package static func isDatabaseName(_ path: FilePath) -> Bool {
        let name = path.lastComponent?.string ?? ""
        return AccountDatabase.allCases.contains { name.hasSuffix($0.suffix) }
    }

    /// What is wrong with a path that is no folder.
    private static func noFolder(_ path: FilePath, _ fileSystem: FileSystem) throws(FileError) -> AccountError
    {
        guard try fileSystem.exists(path) else { return AccountError(.notFound, "no such folder", path) }
        if isDatabaseName(path) {
            return AccountError(
                .notFound, "this is a database file, not the folder of an account", path,
                remedy: .nameFolder(path.parentFolder))
        }
        guard path.extension?.lowercased() == "zip" else {
            return AccountError(.notFound, "this is a file, not the folder of an account", path)
        }
        return AccountError(
            .notFound, "this is an archive, not the folder of an account", path, remedy: .verifyArchive(path))
    }

    /// Whether a file is received there. No work on an account has a journal by this name.
    private static func isDownload(
        _ folder: FilePath, _ fileSystem: FileSystem
    ) throws(FileError) -> Bool {
        guard folder.lastComponent?.string.hasPrefix("\(workPrefix)receive-") == true else { return false }
        return try fileSystem.exists(folder.appending("journal"))
    }

    /// Whether a database, an interrupted operation, or the mark of an account that was moved away is here.
    func hasTraces(_ fileSystem: FileSystem) throws(FileError) -> Bool {
        for database in AccountDatabase.allCases where try fileSystem.exists(path(of: database)) {
            return true
        }
        let hasMark = try fileSystem.exists(retiredMarkPath)
        return try hasMark ? true : fileSystem.exists(workFolder)
    }
}
