import ArgumentParser
public import Valise

struct RelayDelete: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Remove a chunk from a running relay, with all its names.")

    @Argument(help: "The name of one of its recipients, in base64url, as file descriptions have it.")
    var recipient: String

    @OptionGroup var relay: RelayFolderOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = OperateRelay(.delete(recipient: recipient), in: try relay.find())
        try output.print(output.run(operation)) { "deleted the chunk" }
    }
}

struct RelayBlock: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract:
            "Remove a chunk from a running relay, and tell everyone who asks for it that it was blocked.")

    @Argument(help: "The name of one of its recipients, in base64url, as file descriptions have it.")
    var recipient: String

    @Option(help: "Why: spam or content.")
    var reason: BlockingInfo.Reason

    @OptionGroup var relay: RelayFolderOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = OperateRelay(.block(recipient: recipient, reason), in: try relay.find())
        try output.print(output.run(operation)) { "blocked the chunk" }
    }
}

struct RelayStop: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "End a running relay as SIGTERM does, without waiting for its end.")

    @OptionGroup var relay: RelayFolderOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let operation = OperateRelay(.stop, in: try relay.find())
        try output.print(output.run(operation)) { "the relay stops" }
    }
}

struct RelayRenew: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Give a relay a new online key and certificate. Its address stays the same.",
        discussion:
            "It needs the key of the identity once more. A running relay uses them when it is started again.")

    @Option(
        name: .customLong("ca-key"), help: "Where the key of the identity is, if not in the folder.",
        completion: .file())
    var authorityKey: String?

    @Option(
        name: .customLong("sign-algorithm"),
        help: ArgumentHelp(
            "Of the new key: ed448 or ed25519; that of the previous one without.", valueName: "algorithm"))
    var algorithm: SigningAlgorithm?

    @Option(help: "What the certificate names; as the previous one without.")
    var name: String?

    @OptionGroup var relay: RelayFolderOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var operation = RenewRelay(in: try relay.find())
        operation.authorityKey = authorityKey.map { FilePath($0) }
        operation.algorithm = algorithm
        operation.name = name
        try output.print(output.run(operation)) {
            "the relay has a new online certificate; start it again to use it"
        }
    }
}

extension BlockingInfo.Reason: ExpressibleByArgument {}
extension SigningAlgorithm: ExpressibleByArgument {}
