import ArgumentParser
import Valise
import ValiseEncoding
import ValiseTerminal

struct RelayInit: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Set up a relay's identity, certificates and settings.",
        discussion: """
            Prints the address that clients need. It contains the fingerprint of the relay's identity. The identity \
            key (ca.key) is only needed to sign online certificates: move it out of the folder and keep it offline.

            The settings are in file-server.ini, with the sections and keys of the official relay. As in the \
            official relay, the unit in 100gb is a power of 1024 there; '100 GB', with a space, and '93 GiB' mean \
            the same as with --quota.
            """)

    @OptionGroup var relay: RelayFolderOptions

    @Option(help: "The host for clients: domain, IP address or onion host; separate several with commas.")
    var host: String

    @Option(help: "The relay's port.")
    var port: UInt16 = XFTPAddress.defaultPort

    @Option(
        help: """
            The IP address to listen on. The default is all addresses, or the loopback address if --host is one \
            (127.0.0.1, ::1, localhost).
            """)
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "Maximum storage size, such as 100GB or 93GiB. The default is no limit.", valueName: "size"))
    var quota: SizeArgument?

    @Option(
        help: ArgumentHelp("Chunk folder. The default is 'files' in the relay folder.", valueName: "dir"),
        completion: .directory)
    var files: String?

    @Option(
        name: .customLong("sign-algorithm"),
        help: ArgumentHelp(
            "The key algorithm: ed448, as in official relays, or ed25519.", valueName: "algorithm"))
    var algorithm = SigningAlgorithm.ed448

    @Option(
        help: ArgumentHelp("This file's first line is the password for sending files.", valueName: "file"),
        completion: .file())
    var passwordFile: String?

    @Flag(name: .customLong("no-new-files"), help: "Accept no files yet.")
    var refusesNewFiles = false

    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    private static let leastQuota = ChunkSize.kib64.bytes

    func validate() throws {
        guard host.contains(where: { $0 != "," }) else {
            throw ValidationError("Specify a host with --host")
        }
        _ = try (filesFolder(), quota.map(checked))
    }

    func run() throws {
        var operation = InitializeRelay(in: try relay.find(), hosts: try hosts())
        operation.port = port
        operation.listen = listen
        operation.files = try filesFolder()
        operation.quota = try quota.map(checked)
        operation.algorithm = algorithm
        operation.passwordFile = passwordFile.map { FilePath($0) }
        operation.acceptsNewFiles = !refusesNewFiles
        if dryRun.isAsked { return try output.show("relayInitialization", files: output.plan(operation)) }
        let made = try output.run(operation)
        try output.print(made) {
            "address:      \(made.address)\nfingerprint:  \(made.fingerprint)\nsettings:     \(made.settings)"
        }
        output.warn(
            "move the identity key \(made.authorityKey) to a safe offline place. Anyone with it can "
                + "impersonate this relay.")
        if quota == nil { output.note("without --quota, the relay may fill the disk") }
        let folder = ShellWord(try relay.find()).text
        output.note(
            Hint("start the relay", ofSystem: "valise-relay start", arguments: "--folder \(folder)").note)
    }

    private func hosts() throws -> [XFTPAddress.Host] {
        try host.split(separator: ",").map { try XFTPAddress.Host($0) }
    }

    private func filesFolder() throws -> FilePath? {
        guard let files else { return nil }
        guard FilePath(files).isAbsolute else { throw ValidationError("--files must be an absolute path") }
        return FilePath(files)
    }

    private func checked(_ quota: SizeArgument) throws -> Int64 {
        guard quota.bytes >= Self.leastQuota else {
            throw ValidationError(
                "A quota of \(Count.bytes(quota.bytes)) is too small for a chunk of "
                    + "\(Count.bytes(Self.leastQuota)). Add a unit, such as 100GB.")
        }
        return quota.bytes
    }
}
