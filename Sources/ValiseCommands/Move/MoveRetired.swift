import Accounts
import DeviceMigration
import Failures
import Files
import SystemPackage

/// What is asked before something is done to a retired account.
enum MoveRetired {
    /// - Throws: ``CommandError`` with `notFound` where there is none.
    static func mark(_ location: AccountLocation) throws -> RetiredMark {
        guard let mark = try RetiredMark.read(location, fileSystem: FileSystem()) else {
            throw CommandError(
                .notFound, "there is no account here that was moved away; nothing was changed",
                subject: location.directory.string)
        }
        return mark
    }

    static func confirm(_ question: String, yes: Bool, noInput: Bool) throws {
        if yes { return }
        guard !noInput, Terminal.isThere else {
            throw CommandError(
                .invalid,
                "this asks first and nobody can be asked; add --yes if you mean it; nothing was changed"
            )
        }
        guard try Terminal.confirm(question.withoutControls) else {
            throw CommandError(.failed, "nothing was changed")
        }
    }
}
