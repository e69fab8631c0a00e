import ArgumentParser
import Valise

/// The accounts to back up, which may be left out.
struct BackupAccountsArguments: ParsableArguments, AccountChoice {
    @Argument(
        help: ArgumentHelp(
            "Account folders, folders and prefix in one, zip archives, or folders of Session. If left out: "
                + "VALISE_ACCOUNT, or the only account that 'valise account find' finds.",
            valueName: "account"),
        completion: .directory)
    var accounts: [String] = []

    @OptionGroup var use: AccountUseOptions

    var directory: String? { accounts.first }

    func validate() throws {
        guard use.prefix == nil || accounts.count < 2 else {
            throw ValidationError("--prefix is of one account. Name several by folder and prefix in one.")
        }
    }

    /// Those that are named, else the one that is chosen without a name.
    func choose(_ output: OutputOptions) throws -> [BackUpAccounts.Account] {
        guard accounts.count > 1 else {
            let only = try self.choose(output, "")
            return [BackUpAccounts.Account(only.path, prefix: only.prefix)]
        }
        return named
    }

    /// Those that are named.
    var named: [BackUpAccounts.Account] {
        accounts.map { BackUpAccounts.Account(FilePath($0), prefix: use.prefix) }
    }
}

extension AccountUseOptions {
    /// How long it is waited for a repository that is locked.
    var patience: Duration {
        // As good as for ever.
        waitAtMost?.duration ?? (wait ? .seconds(365 * 86_400) : .zero)
    }
}
