import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct MountCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "mount", abstract: "Mount a store, a backup repository or an archive.",
        discussion: """
            Shows it read-only in an empty folder, until Control-C or until it is unmounted (fusermount3 -u). Files of a store \
            are fetched when they are read, and what was fetched is kept in an encrypted cache for the time of the mount. A \
            repository has hosts/HOST/snapshots/TIME. The media of an archive are decrypted if you give its passphrase.

            Needs libfuse 3 and /dev/fuse. --webdav serves the same files on 127.0.0.1 instead, to programs that know the \
            printed address.
            """)

    @Argument(
        help: ArgumentHelp(
            "An archive, the folder or address of a repository, or a store as 'valise store' takes it.",
            valueName: "source"), completion: .file())
    var source: String

    @Argument(
        help: ArgumentHelp("An empty folder; left out with --webdav.", valueName: "mountpoint"),
        completion: .directory)
    var mountpoint: String?

    @Option(
        help: ArgumentHelp(
            "What the source is: store, backup or archive. Needed for s3:, which may be either.",
            valueName: "type"))
    var type: MountSource.Kind?

    @Flag(help: "Serve the files by WebDAV instead of mounting them.")
    var webdav = false

    @Option(help: ArgumentHelp("Listen on this port; 0 for any free port.", valueName: "port"))
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "Keep at most this much of a store on disk, such as 1G (the default).", valueName: "size"))
    var cacheSize: SizeArgument?

    @OptionGroup var options: StoreOptions
    @OptionGroup var password: RepositoryPasswordOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard webdav == (mountpoint == nil) else {
            throw ValidationError(
                webdav ? "--webdav mounts on no folder" : "Name an empty folder to mount on, or use --webdav")
        }
        guard webdav || port == 0 else { throw ValidationError("--port is for --webdav") }
    }

    func run() throws {
        let source = try chosen()
        let place = mountpoint.map { MountTree.Place.folder(FilePath($0)) } ?? .webDAV(port: Int(port))
        try output.perform(Answers(options)) {
            [output, cacheSize] (context, work: AsynchronousWork<Void>) in
            var operation = MountTree(source, on: place) { mount in
                work.hideProgress()
                try await work.atTerminal {
                    try output.print(mount) { Self.text(mount) }
                    output.note("Press Control-C to stop.")
                }
            }
            if let cacheSize { operation.cacheSize = cacheSize.bytes }
            try await operation.run(in: context)
        }
    }

    private static func text(_ mount: StartedMount) -> String {
        let lines =
            mount.folder.map { ["mounted on \($0)"] }
            ?? ["address: \(mount.address ?? "")", "password: \(mount.token ?? "")"]
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private func chosen() throws -> MountSource {
        switch try type ?? MountSource.kind(of: source) {
        case .store?: return .store(try options.input(source))
        case .backup?:
            var input = RepositoryInput(try RepositoryPlace(source), password: password.given)
            input.access = try StorageAccess(variable: UserFolders.variable)
            input.limits = options.line.limits
            return .repository(input)
        case .archive?: return .archive(FilePath(source), options.keys.secret.choice)
        case nil:
            throw CommandError(
                .invalid, "the address may be of a store or of a repository",
                hints: [Hint("say which", options: "--type store", "--type backup")])
        }
    }
}

extension MountSource.Kind: ExpressibleByArgument {}
