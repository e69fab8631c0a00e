import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseFailures
import ValiseFiles

/// The folder that entries are extracted to: nothing outside of it is touched, and nothing in it that was there,
/// unless that was asked for.
struct ExtractionFolder {
    /// Without links, so that only what lies below has to be looked at.
    let path: FilePath
    private let replacesFiles: Bool
    private let fileSystem: FileSystem
    /// Nil where the folder is not there yet.
    private let isThere: Bool
    /// Accounts in the folder, and those whose part it is.
    private let accountPaths: AccountPaths?
    /// Whether an account, or an operation on one that waits to be completed, is in the folder.
    private let holdsAccount: Bool

    /// Where files are until they are whole.
    static let stagingName = ".valise-extract"
    /// What Valise keeps beside accounts starts so; a file there would be taken for its own.
    private static let ownPrefix = ".valise-"

    /// Looks for accounts that are there now: what is extracted later is none yet.
    /// - Throws: ``FileError``: `unsupported` where something that is no folder is in its place; ``AccountError``.
    init(_ out: FilePath, replacesFiles: Bool, _ fileSystem: FileSystem) throws {
        self.replacesFiles = replacesFiles
        self.fileSystem = fileSystem
        isThere = try fileSystem.exists(out)
        guard isThere else {
            path = out
            holdsAccount = false
            accountPaths = try Self.accountPaths(around: out, fileSystem)
            return
        }
        guard try fileSystem.isDirectory(out) else {
            throw FileError(.unsupported, "not a folder", out)
        }
        path = try fileSystem.resolve(out)
        holdsAccount = try AccountPaths.isOccupied(path, fileSystem: fileSystem)
        accountPaths = try Self.accountPaths(around: path, fileSystem)
    }

    private static func accountPaths(
        around path: FilePath, _ fileSystem: FileSystem
    ) throws(FileError) -> AccountPaths? {
        let accountPaths = try AccountPaths(around: path, fileSystem: fileSystem)
        return accountPaths.isEmpty ? nil : accountPaths
    }

    /// Where an entry goes.
    func target(of name: String) -> FilePath { path.appending(name) }

    /// Bytes that may be written here.
    /// - Throws: ``FileError``.
    func freeSpace() throws(FileError) -> Int64 {
        try fileSystem.freeSpace(at: fileSystem.nearestExisting(path))
    }

    // MARK: Obstacles

    /// Refuses the whole extraction into a folder with an account. Its databases and media come in one piece, by an import; a
    /// copy that is to be read only is not changed at all.
    ///
    /// - Parameters:
    ///   - names: of the entries.
    ///   - out: the folder as the user named it.
    /// - Throws: ``AccountArchiveError``: `failed`.
    func refuseAccount(_ names: [String], named out: FilePath) throws(AccountArchiveError) {
        guard holdsAccount, names.contains(where: { ArchiveLayout.role(of: $0) != .other }) else { return }
        throw AccountArchiveError(
            .failed,
            "this folder contains an account, and extraction never changes one. Nothing was written.",
            subject: out.string, remedy: .chooseAnotherFolder)
    }

    /// Why an entry cannot be put in its place; nil where it can.
    func obstacle(for name: String) -> Remark? {
        // By bytes, as the file system sees a slash.
        let components = name.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        if components.first?.hasPrefix(Self.ownPrefix) == true {
            return Remark("its name is reserved for Valise", remedy: .extractWithAnotherProgram)
        }
        do throws(FileError) {
            if let obstacle = try accountObstacle(for: name) { return obstacle }
            if let obstacle = try sideFileObstacle(for: name) { return obstacle }
            guard isThere else { return nil }
            var here = path
            for component in components.dropLast() {
                here.append(component)
                guard let found = try fileSystem.attributes(of: here) else { return nil }
                guard found.kind == .directory else {
                    return Remark(Self.inTheWay(found.kind, of: "its parent folder"))
                }
            }
            return try obstacle(at: target(of: name))
        } catch {
            return Remark(error)
        }
    }

    private func accountObstacle(for name: String) throws(FileError) -> Remark? {
        guard let owner = try accountPaths?.owner(of: target(of: name)) else { return nil }
        return Remark(
            "this path belongs to account \(owner.prefix) in \(owner.directory.string)",
            remedy: .chooseAnotherFolder)
    }

    private func obstacle(at target: FilePath) throws(FileError) -> Remark? {
        guard let found = try fileSystem.attributes(of: target) else { return nil }
        guard found.kind == .regular else { return Remark(Self.inTheWay(found.kind, of: "the target")) }
        return replacesFiles
            ? nil
            : Remark("already exists", remedy: .replaceExtractedFile(target))
    }

    private static func inTheWay(_ kind: FileKind, of what: String) -> String {
        let thing =
            switch kind {
            case .regular: "a file"
            case .directory: "a folder"
            case .symbolicLink: "a symbolic link"
            case .special: "a device or pipe"
            }
        return "\(what) is \(thing)"
    }

    /// A journal beside a database is rolled into it by whoever opens that next.
    private func sideFileObstacle(for name: String) throws(FileError) -> Remark? {
        for suffix in DatabaseFile.sideSuffixes {
            if case .database = ArchiveLayout.role(of: name),
                try fileSystem.exists(target(of: name + suffix))
            {
                return Remark(
                    "a \(suffix.dropFirst()) file of another database exists", remedy: .chooseAnotherFolder)
            }
            guard name.utf8.count > suffix.utf8.count, name.hasSuffix(suffix) else { continue }
            let database = String(name.dropLast(suffix.count))
            if case .database = ArchiveLayout.role(of: database) { return Self.sideFile }
            if try fileSystem.exists(target(of: database)) { return Self.sideFile }
        }
        return nil
    }

    private static let sideFile = Remark(
        "it would be taken for the journal of the database beside it", remedy: .extractWithAnotherProgram)

    /// Makes the folders that an entry needs, for this user alone.
    /// - Throws: ``FileError``.
    func makeFolders(for name: String) throws(FileError) {
        var here = path
        for component in name.utf8.split(separator: UInt8(ascii: "/")).dropLast() {
            here.append(String(Substring(component)))
            if try !fileSystem.exists(here) { try fileSystem.makeDirectory(here) }
        }
    }
}
