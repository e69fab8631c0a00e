package import SystemPackage
import ValiseFiles

/// Writes files without ceremony.
package enum TestFiles {
    package static func write(_ bytes: [UInt8], to path: FilePath) throws {
        let fileSystem = FileSystem()
        let folder = path.removingLastComponent()
        if !folder.isEmpty { try fileSystem.makeDirectories(folder) }
        if try fileSystem.exists(path) { try fileSystem.remove(path) }
        var file = try fileSystem.create(path)
        try file.write(bytes)
    }

    package static func write(_ text: String, to path: FilePath) throws {
        try write(Array(text.utf8), to: path)
    }
}
