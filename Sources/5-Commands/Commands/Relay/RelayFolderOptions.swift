import ArgumentParser
import Valise

/// The relay to work on.
struct RelayFolderOptions: ParsableArguments {
    private static let variable = "STATE_DIRECTORY"

    @Option(
        help: ArgumentHelp(
            "The relay folder. In a systemd unit, the default is STATE_DIRECTORY.", valueName: "dir"),
        completion: .directory)
    var folder: String?

    func find() throws -> FilePath {
        guard let path = folder ?? UserFolders.variable(Self.variable), !path.isEmpty else {
            throw ValidationError("Specify the relay folder with --folder.")
        }
        // Settings contain absolute paths: a service starts in another folder.
        guard let absolute = WorkingFolder.absolute(FilePath(path)) else {
            throw CommandError(
                .failed, "the current folder is unknown. Specify --folder as an absolute path.")
        }
        return absolute
    }
}
