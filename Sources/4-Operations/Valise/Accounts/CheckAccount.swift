public import SystemPackage
import ValiseAccounts
import ValiseFiles
public import ValiseMaintenance
import ValiseSecrets

/// Checks an account for damage, in a folder or in an archive, and changes nothing.
public struct CheckAccount: Operation {
    /// The folder of an account, or an archive.
    public var path: FilePath
    /// What the names of the databases start with, where a folder holds several accounts.
    public var prefix: String?
    /// Whether the walk through tables and indexes is left out.
    public var isQuick = false
    public var passphrase: PassphraseSource

    public init(_ path: FilePath, passphrase: PassphraseSource = PassphraseSource()) {
        self.path = path
        self.passphrase = passphrase
    }

    public func run(in context: OperationContext) async throws -> AccountCheckReport {
        if try FileSystem().attributes(of: path)?.kind == .regular {
            let key = try await passphrase.ofArchive(path, in: context) {
                try AccountCheck().isEncrypted(archive: path)
            }
            return try await context.blocking { progress in
                try AccountCheck(isQuick: isQuick).check(
                    archive: path, passphrase: key.bytes, progress: progress)
            }
        }
        let account = try AccountLocation.find(path, prefix: prefix)
        let key = try await passphrase.passphrase(of: account, in: context)
        return try await context.blocking { progress in
            try AccountCheck(isQuick: isQuick).check(account, passphrase: key.bytes, progress: progress)
        }
    }
}

extension CheckAccount {
    public func plan(in context: OperationContext) async throws -> ReadsOnly { ReadsOnly() }
}

extension PassphraseSource {
    /// The passphrase of an account in an archive; the empty one where it is not encrypted. Stored ones are not used: an
    /// archive does not say whose it is.
    func ofArchive(
        _ path: FilePath, in context: OperationContext, isEncrypted: @escaping @Sendable () throws -> Bool
    ) async throws -> SharedSecret {
        guard try await context.blocking({ _ in try isEncrypted() }) else {
            return SharedSecret(try SecretBytes.empty())
        }
        if let given = try await read() { return given }
        return try await context.passphrase(PassphraseRequest(of: path.string))
    }
}
