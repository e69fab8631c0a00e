import ArgumentParser
import SystemPackage
import ValiseAccounts
import ValiseFiles
public import ValiseSampleAccounts
import ValiseSecrets

/// `valise-sample`: builds the sample account for the demo, tests and measurements.
@main
struct SampleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "valise-sample", abstract: "Builds a sample account, the same one for the same options.")

    @Argument(help: "The folder of the account; it is made where it is missing.", completion: .directory)
    var directory: String

    @Option(help: "What the names of the databases start with.")
    var prefix = AccountLocation.usualPrefix

    @Option(help: "Read the passphrase from this file; without it nothing is encrypted.", completion: .file())
    var passphraseFile: String?

    @Option(help: "How many items the chats get.")
    var messages = 400

    @Option(help: "Bytes of large media beside the small ones.")
    var mediaBytes: Int64 = 0

    @Option(help: "Bytes of each of the large media; without it sizes differ.")
    var mediaSize: Int?

    @Option(help: "Which one of the accounts of this make.")
    var seed: UInt64 = 1

    @Option(help: "Which media files are encrypted: mixed, encrypted or plain.")
    var mediaEncryption = SampleAccount.MediaEncryption.mixed

    func run() throws {
        let passphrase = try readPassphrase()
        let location = try AccountLocation.place(FilePath(directory), prefix: prefix)
        let options = SampleAccount.Options(
            messages: messages, mediaBytes: mediaBytes, seed: seed, mediaEncryption: mediaEncryption,
            mediaSize: mediaSize)
        let report = try SampleAccount(options).build(location, passphrase: passphrase)
        print(
            "\(report.users) users, \(report.contacts) contacts, \(report.groups) groups, "
                + "\(report.messages) messages, \(report.files) files with \(report.mediaBytes) bytes")
    }

    private func readPassphrase() throws -> SecretBytes {
        guard let passphraseFile else { return try SecretBytes.empty() }
        var bytes = try FileSystem().contents(of: FilePath(passphraseFile), limit: 64 << 10)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return try SecretBytes(copying: bytes)
    }
}

extension SampleAccount.MediaEncryption: ExpressibleByArgument {}
