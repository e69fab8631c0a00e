import FaultInjection
import SystemPackage
import ValiseAccounts
import ValiseFiles

/// An account of files that are no databases, for the exchange of files.
struct ChangedAccount {
    let folder: TemporaryFolder
    let fileSystem = FileSystem()
    let location: AccountLocation

    static let old = Array("old".utf8)
    static let new = Array("new".utf8)
    /// What an app writes that is started in the middle.
    static let later = Array("of the app".utf8)

    var workFolder: FilePath { location.directory.appending(".valise-simplex_v1") }

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        location = AccountLocation(directory: folder.appending("account"))
        try reset()
    }

    /// - Parameter withSideFiles: then the databases are moved away, not linked.
    func reset(withSideFiles: Bool = false) throws {
        try fileSystem.removeTree(location.directory)
        try fileSystem.makeDirectories(location.filesFolder)
        for database in AccountDatabase.allCases {
            let path = location.path(of: database)
            try fileSystem.replace(path, with: Self.old)
            if withSideFiles { try fileSystem.replace(path.appendingSuffix("-journal"), with: Self.old) }
        }
    }

    func open(_ fileSystem: FileSystem = FileSystem()) throws -> AccountWriter {
        try AccountWriter(location, fileSystem: fileSystem)
    }

    /// An operation that replaces both databases, prepared.
    func prepare(
        _ fileSystem: FileSystem = FileSystem(), operation: String = "test"
    ) throws -> AccountChange {
        let change = try open(fileSystem).change(operation)
        for database in AccountDatabase.allCases {
            try fileSystem.replace(change.stagedPath(of: database), with: Self.new)
            change.replaces(database)
        }
        return change
    }

    /// nil where it is missing.
    func content(of path: FilePath) throws -> [UInt8]? {
        try fileSystem.exists(path) ? try fileSystem.contents(of: path, limit: 1000) : nil
    }

    func databases() throws -> [[UInt8]?] {
        try AccountDatabase.allCases.map { try content(of: location.path(of: $0)) }
    }

    func backup() throws -> [String: [UInt8]?] {
        let path = workFolder.appending("backup")
        return try fileSystem.exists(path) ? try TemporaryFolder.contents(of: path) : [:]
    }

    /// Writes to what is there already, as a program that has it open does.
    func overwrite(_ path: FilePath, with bytes: [UInt8]) throws {
        let file = try fileSystem.openForUpdating(path)
        try file.truncate()
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }
}
