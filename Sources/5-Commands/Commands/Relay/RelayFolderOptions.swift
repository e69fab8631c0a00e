import ArgumentParser
import Valise

/// Which relay is meant.
struct RelayFolderOptions: ParsableArguments {
    private static let variable = "STATE_DIRECTORY"

    @Option(
        help: ArgumentHelp(
            "The folder of the relay. In a service of systemd: what STATE_DIRECTORY says.", valueName: "dir"),
        completion: .directory)
    var folder: String?

    func find() throws -> FilePath {
        guard let path = folder ?? UserFolders.variable(Self.variable), !path.isEmpty else {
            throw ValidationError("Say with --folder where the relay is.")
        }
        let absolute = FilePath(path)
        return absolute.isAbsolute ? absolute : try Self.workingFolder().pushing(absolute)
    }

    /// Settings keep absolute paths: a service is started from elsewhere.
    private static func workingFolder() throws -> FilePath {
        guard let path = WorkingFolder.path else {
            throw CommandError(.failed, "the working folder is not known; give --folder from the root")
        }
        return path
    }
}
