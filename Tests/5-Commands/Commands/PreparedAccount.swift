import FaultInjection
import SystemPackage
import Testing
import ValiseFiles

/// Accounts that ``AccountState/passphrase`` opens; each kind is made once in a run.
enum PreparedAccount {
    /// One of `valise-sample`.
    /// - Parameter options: what is in it.
    static func sample(at path: String, _ options: String...) throws {
        try place("sample \(options)", at: path) { key in
            try Program.run(Program.sample, [path, key] + options)
        }
    }

    /// One of `valise account create`.
    static func empty(at path: String) throws {
        try place("empty", at: path) { key in
            try Program.valise("account", "create", path, key, "--quiet")
        }
    }

    private static func place(
        _ name: String, at path: String, _ make: (_ key: String) throws -> Program.Outcome
    ) throws {
        try PreparedFolder.place("account: \(name)", at: FilePath(path)) { _ in
            let folder = try TemporaryFolder("valise-prepared", inMemory: true)
            try FileSystem().replace(folder.appending("key"), with: Array(AccountState.passphrase.utf8))
            let made = try make("--passphrase-file=\(folder.appending("key"))")
            #expect(made.status == 0, "\(made.errors)")
        }
    }
}
