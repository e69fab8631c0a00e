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

    // While the parser still knows the command, whose usage it then shows.
    func validate() throws {
        guard !path.isEmpty else { throw ValidationError("Specify the relay folder with --folder") }
    }

    private var path: String { folder ?? UserFolders.variable(Self.variable) ?? "" }

    func find() throws -> FilePath {
        // Settings contain absolute paths: a service starts in another folder.
        guard let absolute = WorkingFolder.absolute(FilePath(path)) else {
            throw CommandError(
                .failed, "the current folder is unknown. Specify --folder as an absolute path.")
        }
        return absolute
    }
}
