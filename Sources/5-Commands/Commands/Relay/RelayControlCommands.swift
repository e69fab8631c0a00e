public import ArgumentParser
public import Valise

struct RelayDelete: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a chunk and all its IDs from a running relay.",
        discussion: """
            Its recipients can no longer fetch it, and its space is free again. On a terminal, \
            you are asked to confirm first; scripts are not.
            """)

    @Argument(help: "One of the chunk's recipient IDs, in base64url, as in file descriptions.")
    var recipient: String

    @OptionGroup var relay: RelayFolderOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = OperateRelay(.delete(recipient: recipient), in: try relay.find())
        if dryRun.isAsked { return try output.show(operation, would: "delete the chunk") }
        try output.print(output.run(operation, Answers(input, consent))) { "deleted the chunk" }
    }
}

struct RelayBlock: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Delete a chunk and report it to clients as blocked.",
        discussion: """
            Its content is removed, and clients that ask for it get the reason. On a terminal, \
            you are asked to confirm first; scripts are not.
            """)

    @Argument(help: "One of the chunk's recipient IDs, in base64url, as in file descriptions.")
    var recipient: String

    @Option(help: "The reason: spam or content.")
    var reason: BlockingReason

    @OptionGroup var relay: RelayFolderOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = OperateRelay(.block(recipient: recipient, reason), in: try relay.find())
        if dryRun.isAsked { return try output.show(operation, would: "block the chunk") }
        try output.print(output.run(operation, Answers(input, consent))) { "blocked the chunk" }
    }
}

struct RelayReload: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Use new certificates in a running relay, without a restart.",
        discussion: """
            Reads the certificates and keys again, including those for browsers. New connections use them; open \
            connections continue. If they are not valid, the relay keeps the previous ones. Other settings take \
            effect at the next start.
            """)

    @OptionGroup var relay: RelayFolderOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = OperateRelay(.reload, in: try relay.find())
        if dryRun.isAsked { return try output.show(operation, would: "reload the certificates") }
        try output.print(output.run(operation)) { "reloaded the certificates" }
    }
}

struct RelayStop: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Ask a running relay to stop; return at once.")

    @OptionGroup var relay: RelayFolderOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = OperateRelay(.stop, in: try relay.find())
        if dryRun.isAsked { return try output.show(operation, would: "stop the relay") }
        try output.print(output.run(operation)) { "the relay is stopping" }
    }
}

struct RelayRenew: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Rotate a relay's online key; its address does not change.",
        discussion: """
            Makes a new online key and certificate. Needs the identity key (ca.key). Run 'valise-relay reload' for a \
            running relay to use them.
            """)

    @Option(
        name: .customLong("ca-key"), help: "The identity key (ca.key), if it is not in the folder.",
        completion: .file())
    var authorityKey: String?

    @Option(
        name: .customLong("sign-algorithm"),
        help: ArgumentHelp(
            "ed448 or ed25519. The default is the previous algorithm.", valueName: "algorithm"))
    var algorithm: SigningAlgorithm?

    @Option(help: "The name in the certificate. The default is the previous one.")
    var name: String?

    @OptionGroup var relay: RelayFolderOptions
    @OptionGroup var input: InputOptions
    @OptionGroup var dryRun: DryRunOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = RenewRelay(
            in: try relay.find(), authorityKey: authorityKey.map { FilePath($0) }, name: name)
        operation.algorithm = algorithm
        if dryRun.isAsked { return try output.show("relayRenewal", files: output.plan(operation)) }
        try output.print(output.run(operation)) {
            "rotated the online key and certificate. Run 'valise-relay reload' if the relay is running."
        }
    }
}

extension OutputOptions {
    fileprivate func show(_ operation: OperateRelay, would change: String) throws {
        let address = try plan(operation).relay.address
        try show("relayOperation", would: ["\(change) (\(address))"])
    }
}

extension BlockingReason: ExpressibleByArgument {}
extension SigningAlgorithm: ExpressibleByArgument {}
