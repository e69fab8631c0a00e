package import SystemPackage
import ValiseFiles

/// A path of an operation: as the user gave it when it was asked for, absolute in the job that is written.
package struct JobPath: Codable, Sendable, Equatable {
    package let path: FilePath

    package init(_ path: FilePath) { self.path = path }

    package init(from decoder: any Decoder) throws {
        path = FilePath(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(absolute)
    }

    /// The folder without links, so that one place has one name; where it is not there, as it was given.
    package var absolute: String {
        let fileSystem = FileSystem()
        let path = path.isAbsolute ? path : (WorkingFolder.path ?? "/").pushing(path)
        if (try? fileSystem.isDirectory(path)) == true, let found = try? fileSystem.resolve(path) {
            return found.string
        }
        guard let name = path.lastComponent, name.kind == .regular,
            let folder = try? fileSystem.resolve(path.removingLastComponent())
        else { return path.string }
        return folder.appending(name).string
    }
}
