package import SystemPackage
package import ValiseAccounts
import ValiseEncoding
import ValiseFailures

extension ImportAge {
    /// What a user has to know about the age; nil for nothing.
    ///
    /// - Parameters:
    ///   - isDone: whether the account was replaced already.
    ///   - kind: where the other one comes from.
    package func warning(isDone: Bool, of kind: String = "archive") -> String? {
        let replaced = "the account it \(isDone ? "replaced" : "would replace")"
        switch verdict {
        case .newer, .same: return nil
        case .otherAccount:
            return "the \(kind) does not belong to \(replaced): they share no connections"
        case .unknown:
            return
                "cannot determine whether the \(kind) is older than \(replaced); if it is, sending from it can "
                + "break connections"
        case .older: return "the \(kind) is older than \(replaced)" + reason
        }
    }

    private var reason: String {
        switch evidence {
        case .connections where (connectionsMoved ?? 0) > 0:
            ": the ratchets of \(Self.count(connectionsMoved)) have advanced since, so sending from it can break "
                + "them"
        case .connections: ": it lacks \(Self.count(connectionsMissing))"
        case .messages:
            ", judging by the newest message; sending from it can break connections used since"
        default:
            ", judging by the file times; sending from it can break connections used since"
        }
    }

    private static func count(_ connections: Int?) -> String {
        Count.text(connections ?? 0, "connection")
    }
}

extension ArchiveImport {
    /// Why an account is not replaced that is newer than the archive or another one, unless it is kept or that was
    /// asked for; nil where nothing is in the way.
    package func refusal(
        _ age: ImportAge?, _ archive: FilePath, at location: AccountLocation
    ) -> AccountArchiveError? {
        guard let age, age.losesWork, options.keepsPreviousAs == nil, !options.replacesNewer,
            let warning = age.warning(isDone: false)
        else { return nil }
        return AccountArchiveError(
            .alreadyExists,
            "\(warning). Nothing was changed.", subject: archive.string,
            remedy: .keepOrReplaceNewer(Remedy.Account(location)))
    }
}
