import SystemPackage
import ValiseArchives
import ValiseFiles

/// The names that are given to exported files: each once, on any file system.
final class ExportNames {
    private let out: FilePath
    private let fileSystem: FileSystem
    private var taken = FoldedNames()
    /// The next number of a name that was wanted before, by a hash of it: thousands may be called `image.jpg`.
    private var next: [Int: Int] = [:]

    init(_ out: FilePath, _ fileSystem: FileSystem) {
        self.out = out
        self.fileSystem = fileSystem
    }

    /// Learns of a name that a previous run gave.
    func note(_ path: String) { _ = taken.insert(path) }

    /// Gives a file its path, relative to the folder of the export.
    ///
    /// - Parameter size: of the file, in bytes: a file of this size that lies there without a line in the manifest
    ///   may be the one.
    /// - Throws: ``FileError``.
    func claim(_ name: SafeFileName, in folder: String, size: Int64) throws -> String {
        let key = (folder + "/" + name.text).lowercased().hashValue
        var number = next[key] ?? 1
        while true {
            let path = "\(folder)/\(name.numbered(number))"
            number += 1
            guard !taken.contains(path) else { continue }
            if let found = try fileSystem.attributes(of: out.appending(path)),
                found.kind != .regular || found.size != size
            {
                continue
            }
            _ = taken.insert(path)
            if number > 2 { next[key] = number }
            return path
        }
    }
}
