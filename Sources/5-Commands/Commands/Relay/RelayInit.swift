public import ArgumentParser
import Valise
public import ValiseCryptography
import ValiseEncoding
import ValiseMediaRules
import ValiseRelay

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
        let folder = try relay.find()
        let settings = try settings(folder)
        try folder.initialize(
            settings, algorithm, now: UTCTime.clock() - CertificateAuthority.clockTolerance)
        let contents = try folder.contents()
        let result = Result(
            folder: folder.path.string, address: contents.address.text,
            fingerprint: Base64URL.encode(contents.fingerprint),
            settings: folder.path(of: .settings).string,
            authorityKey: folder.path(of: .authorityKey).string)
        try output.print(result) {
            "address:      \(result.address)\nfingerprint:  \(result.fingerprint)\nsettings:     \(result.settings)"
        }
        output.warn(
            "move \(result.authorityKey) to a safe place off this machine: who has it can pose as this relay")
        if settings.quota == nil { output.note("without a quota the relay may fill the disk") }
    }

    private func settings(_ folder: RelayFolder) throws -> RelaySettings {
        let hosts = try host.split(separator: ",").map { try XFTPAddress.Host($0) }
        guard !hosts.isEmpty else { throw ValidationError("Name a host with --host.") }
        var settings = RelaySettings(
            hosts: hosts, listen: listen, port: port, files: folder.path(of: .files))
        if let files {
            guard FilePath(files).isAbsolute else { throw ValidationError("Give --files from the root.") }
            settings.files = FilePath(files)
        }
        if let quota {
            guard let size = SizeText.decode(quota.lowercased()), size > 0 else {
                throw ValidationError("'\(quota)' is no size such as 100gb.")
            }
            guard size >= Self.leastQuota else {
                throw ValidationError(
                    "A quota of \(ByteCount.text(size)) has no space for the smallest chunk, "
                        + "\(ByteCount.text(Self.leastQuota)); give it with a unit, such as 100gb.")
            }
            settings.quota = size
        }
        settings.acceptsNewFiles = !refusesNewFiles
        settings.password = try passwordFile.map(password)
        return settings
    }

    private func password(_ file: String) throws -> RelayPassword {
        let bytes = try FileSystem().contents(of: FilePath(file), limit: 4096)
        let line = String(
            decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        return try RelayPassword(checking: line)
    }

    private struct Result: Encodable {
        let type = "relayInitialized"
        let folder: String
        let address: String
        let fingerprint: String
        let settings: String
        let authorityKey: String
    }
}

extension SigningAlgorithm: ExpressibleByArgument {}
