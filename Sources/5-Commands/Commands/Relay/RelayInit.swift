import ArgumentParser
import Valise

struct RelayInit: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Set up a relay: its identity, its certificates, its settings.",
        discussion: """
            Prints the address that clients need. The fingerprint in it is that of the identity, whose key \
            (ca.key) signs online certificates and is needed for nothing else: keep it where no network reaches \
            it, and take it out of the folder.

            The settings are in file-server.ini, with the sections and keys of the official relay.
            """)

    @OptionGroup var relay: RelayFolderOptions

    @Option(help: "What clients connect to: a domain, an address, an onion host; several with commas.")
    var host: String

    @Option(help: "The port of the relay.")
    var port: UInt16 = XFTPAddress.defaultPort

    @Option(
        help: """
            The address of this machine to listen on, as numbers. Without it all of them, or that of this machine alone \
            where --host is such a one (127.0.0.1, ::1, localhost).
            """)
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "The most that is kept, such as 100gb; all that the disk takes without.", valueName: "size"))
    var quota: String?

    @Option(
        help: ArgumentHelp("Where the chunks go; 'files' in the folder without.", valueName: "dir"),
        completion: .directory)
    var files: String?

    @Option(
        name: .customLong("sign-algorithm"),
        help: ArgumentHelp(
            "Of the keys: ed448, as official relays have it, or ed25519.", valueName: "algorithm"))
    var algorithm = SigningAlgorithm.ed448

    @Option(
        help: ArgumentHelp("The file whose first line clients need to send files.", valueName: "file"),
        completion: .file())
    var passwordFile: String?

    @Flag(name: .customLong("no-new-files"), help: "Take no files yet.")
    var refusesNewFiles = false

    @OptionGroup var output: OutputOptions

    private static let leastQuota = ChunkSize.kib64.bytes

    func run() throws {
        var operation = InitializeRelay(in: try relay.find(), hosts: try hosts())
        operation.port = port
        operation.listen = listen
        operation.files = try filesFolder()
        operation.quota = try quota.map(size)
        operation.algorithm = algorithm
        operation.passwordFile = passwordFile.map { FilePath($0) }
        operation.acceptsNewFiles = !refusesNewFiles
        let made = try output.run(operation)
        try output.print(made) {
            "address:      \(made.address)\nfingerprint:  \(made.fingerprint)\nsettings:     \(made.settings)"
        }
        output.warn(
            "move \(made.authorityKey) to a safe place off this machine: who has it can pose as this relay")
        if quota == nil { output.note("without a quota the relay may fill the disk") }
    }

    private func hosts() throws -> [XFTPAddress.Host] {
        let hosts = try host.split(separator: ",").map { try XFTPAddress.Host($0) }
        guard !hosts.isEmpty else { throw ValidationError("Name a host with --host.") }
        return hosts
    }

    private func filesFolder() throws -> FilePath? {
        guard let files else { return nil }
        guard FilePath(files).isAbsolute else { throw ValidationError("Give --files from the root.") }
        return FilePath(files)
    }

    private func size(_ quota: String) throws -> Int64 {
        guard let size = SizeText.decode(quota.lowercased()), size > 0 else {
            throw ValidationError("'\(quota)' is no size such as 100gb.")
        }
        guard size >= Self.leastQuota else {
            throw ValidationError(
                "A quota of \(ByteCount.text(size)) has no space for the smallest chunk, "
                    + "\(ByteCount.text(Self.leastQuota)); give it with a unit, such as 100gb.")
        }
        return size
    }
}
