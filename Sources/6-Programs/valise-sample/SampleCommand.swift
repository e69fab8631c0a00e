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
        commandName: "valise-sample", abstract: "Build a sample account, reproducible from its options.")

    @Argument(help: "The account folder, created if missing.", completion: .directory)
    var directory: String

    @Option(help: "Prefix of the database names.")
    var prefix = AccountLocation.usualPrefix

    @Option(help: "Read the passphrase from this file. The default is no encryption.", completion: .file())
    var passphraseFile: String?

    @Option(help: "Number of chat items.")
    var messages = 400

    @Option(
        help: "Number of items, at least, in conversations of every kind. The default is none.")
    var conversations = 0

    @Option(help: "Bytes of large media, in addition to the small ones.")
    var mediaBytes: Int64 = 0

    @Option(help: "Bytes per large media file. By default, sizes vary.")
    var mediaSize: Int?

    @Option(help: "Random seed.")
    var seed: UInt64 = 1

    @Option(help: "Encryption of media files: mixed, encrypted or plain.")
    var mediaEncryption = SampleAccount.MediaEncryption.mixed

    /// As the other programs do, errors begin with the name of the program.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            let status = exitCode(for: error)
            guard !status.isSuccess else { exit(withError: error) }
            let message = fullMessage(for: error).trimmingPrefix("Error: ")
            _ = try? FileDescriptor.standardError.writeAll(Array("valise-sample: \(message)\n".utf8))
            exit(withError: status)
        }
    }

    func run() throws {
        let passphrase = try readPassphrase()
        let location = try AccountLocation.place(FilePath(directory), prefix: prefix)
        let options = SampleAccount.Options(
            messages: messages, mediaBytes: mediaBytes, seed: seed, mediaEncryption: mediaEncryption,
            mediaSize: mediaSize, conversations: conversations)
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
