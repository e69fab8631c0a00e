import Foundation
import SystemPackage
import ValiseAccounts
import ValiseDatabase
import ValiseFiles
import ValiseMaintenance
import ValiseSecrets

/// A temporary folder with a place for an account, and a tree beside it that nothing may touch.
final class Sandbox {
    let root: FilePath
    let fileSystem = FileSystem()

    var target: AccountLocation { AccountLocation(directory: root.appending("home").appending("account")) }
    var archive: FilePath { root.appending("archive.zip") }

    init() throws {
        root = FilePath(NSTemporaryDirectory()).appending("valise-archives-\(UUID().uuidString)")
        try fileSystem.makeDirectories(root.appending("home").appending("beside"))
        try write(Array("do not touch".utf8), to: "home/beside/sentinel")
        try write(Array("neither this".utf8), to: "home/x")
        try write(Array("nor this".utf8), to: "sentinel")
    }

    deinit { try? fileSystem.removeTree(root) }

    func path(_ relative: String) -> FilePath { root.appending(relative) }

    /// Writes a file under the root, making its folder.
    func write(_ bytes: [UInt8], to relative: String) throws {
        let path = path(relative)
        try fileSystem.makeDirectories(path.removingLastComponent())
        try Data(bytes).write(to: URL(fileURLWithPath: path.string))
    }

    /// Every file and folder below, with the files' bytes.
    func snapshot(of relative: String = "") throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        func visit(_ path: FilePath, _ shown: String) throws {
            for entry in try fileSystem.list(path) {
                let name = shown + String(decoding: entry.nameBytes, as: UTF8.self)
                let child = path.appending(FilePath.Component(bytes: entry.nameBytes)!)
                if entry.kind == .directory {
                    found[name + "/"] = []
                    try visit(child, name + "/")
                } else {
                    found[name] = Array(try Data(contentsOf: URL(fileURLWithPath: child.string)))
                }
            }
        }
        let start = relative.isEmpty ? root : path(relative)
        if try fileSystem.exists(start) { try visit(start, "") }
        return found
    }

    /// The bytes of all files below the root, without reading them.
    func size() throws -> Int64 {
        func size(_ path: FilePath) throws -> Int64 {
            var sum: Int64 = 0
            for entry in try fileSystem.list(path) {
                let child = path.appending(FilePath.Component(bytes: entry.nameBytes)!)
                sum +=
                    entry.kind == .directory
                    ? try size(child) : try fileSystem.attributes(of: child)?.size ?? 0
            }
            return sum
        }
        return try size(root)
    }

    /// Puts a plain account with two media files at the target.
    func makeAccount() throws {
        let sample = try Sample.databases
        for database in AccountDatabase.allCases {
            try write(sample[database]!, to: "home/account/\(database.archiveName)")
        }
        try write(Array("mine".utf8), to: "home/account/simplex_v1_files/mine.txt")
        try write(Array("old".utf8), to: "home/account/simplex_v1_files/shared.txt")
    }
}

/// Databases of a new account, made once.
enum Sample {
    static var databases: [AccountDatabase: [UInt8]] { get throws { try plain.get() } }
    static var encryptedDatabases: [AccountDatabase: [UInt8]] { get throws { try encrypted.get() } }

    private static let plain = Result { try make("") }
    private static let encrypted = Result { try make("correct horse") }

    private static func make(_ passphrase: String) throws -> [AccountDatabase: [UInt8]] {
        let fileSystem = FileSystem()
        let folder = FilePath(NSTemporaryDirectory()).appending("valise-sample-\(UUID().uuidString)")
        defer { try? fileSystem.removeTree(folder) }
        let location = AccountLocation(directory: folder)
        try AccountCreation().create(location, passphrase: try SecretBytes(copying: Array(passphrase.utf8)))
        var found: [AccountDatabase: [UInt8]] = [:]
        for database in AccountDatabase.allCases {
            found[database] = try fileSystem.contents(of: location.path(of: database), limit: 64 << 20)
        }
        return found
    }
}
