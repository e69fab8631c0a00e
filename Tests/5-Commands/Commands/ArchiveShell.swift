import FaultInjection
import SystemPackage
import Testing
import ValiseFiles

/// An account with media, and a shell beside it: for archives that go through pipes and other programs.
struct ArchiveShell {
    let folder: TemporaryFolder
    var account: String { folder.appending("account").string }
    var copy: String { folder.appending("copy").string }
    var key: String { "--passphrase-file=\(folder.appending("key"))" }

    init(_ name: String, mediaBytes: Int) throws {
        folder = try TemporaryFolder(name, inMemory: true)
        try FileSystem().replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
        try PreparedAccount.sample(at: account, "--messages", "30", "--media-bytes", "\(mediaBytes)")
    }

    /// Runs a line in the folder, in which `$V` is the program, `$K` the option with the passphrase.
    func run(_ line: String, environment: [String: String] = [:]) throws -> Program.Outcome {
        var own = ["V": Program.valise, "K": key, "A": account, "B": copy, "F": folder.path.string]
        own.merge(environment) { $1 }
        return try Program.run("/bin/sh", ["-c", "cd \"$F\" || exit 99; \(line)"], environment: own)
    }
}
