public import SystemPackage
public import ValiseAccountArchives
import ValiseAccounts
import ValiseConcurrency
package import ValiseFailures
import ValiseSecrets

/// Compares two accounts, each in an archive or a folder. Read-only.
public struct CompareAccounts: Operation {
    /// An archive, or the folder of an account, or folder and prefix in one.
    package var first: FilePath
    /// The same.
    package var second: FilePath
    /// What is given is that of both. Where none is known and nobody can be asked, encrypted databases are compared by their
    /// bytes alone.
    package var passphrase: PassphraseSource
    /// The passphrase of the second account, if it differs.
    public var otherPassphrase: PassphraseSource.Given?

    /// - Parameters:
    ///   - first: the folder of an account, an archive, a snapshot as `REPO::SNAPSHOT`, or `store://STORE::PATH`.
    ///   - second: the same.
    ///   - passphrase: opens both, unless the other has its own.
    public init(_ first: FilePath, _ second: FilePath, passphrase: PassphraseSource = PassphraseSource()) {
        self.first = first
        self.second = second
        self.passphrase = passphrase
    }

    /// - Throws: `ComparedPassphraseError`; errors of opening and of `AccountComparison`.
    public func run(in context: OperationContext) async throws -> ComparisonReport {
        let (place, otherPlace) = try await context.blocking { _ in
            return (try ReadablePlace.find(self.first), try ReadablePlace.find(self.second))
        }
        let first = try await Side(place, context)
        let key = try await find(passphraseOf: first, nil, context)
        let second = place == otherPlace ? first : try await Side(otherPlace, context)
        let other = try await find(passphraseOf: second, key, isSecond: true, context)
        let report = try await context.blocking { progress in
            let left = try first.opened()
            let right = place == otherPlace ? left : try second.opened()
            do {
                return try AccountComparison().compare(
                    left, right, passphrase: try key?.secret.bytes.duplicate(),
                    otherPassphrase: try other?.secret.bytes.duplicate(), progress: progress)
            } catch let error as ComparisonError where error.code == .wrongPassphrase {
                throw ComparedPassphraseError(error, (error.isOfSecond ? other : key)?.origin ?? .given)
            }
        }
        context.note(InUseNote(report.first.path, report.first.inUse))
        if report.second.path != report.first.path {
            context.note(InUseNote(report.second.path, report.second.inUse))
        }
        return report
    }

    /// One of both. An archive or a snapshot is opened once, so that the one that is looked at is compared. The account in a folder is only
    /// looked at until nobody is asked any more: opened, it is locked.
    private struct Side: Sendable {
        let place: ReadablePlace
        /// Nothing is locked by it, but a repository.
        let reader: AccountReader

        init(_ place: ReadablePlace, _ context: OperationContext) async throws {
            self.place = place
            switch place {
            case .archive(let path):
                reader = try await context.blocking { _ in try AccountReader(.archive(path)) }
            case .folder(let location): reader = AccountReader(asItIs: location)
            case .snapshot(let snapshot): reader = try await snapshot.open(in: context)
            case .store(let stored, let prefix): reader = try await stored.open(prefix: prefix, in: context)
            }
        }

        func opened() throws -> AccountReader {
            switch place {
            case .archive, .snapshot, .store: reader
            case .folder(let location): try AccountReader(location)
            }
        }
    }

    private struct Key: Sendable {
        let secret: SharedSecret
        let origin: ComparedPassphraseError.Origin
    }

    /// What is given comes before what is stored: the account's own, else that of the first. One that was stored or typed for
    /// the first account is tried last.
    /// - Returns: nil where it is not needed, or not known and nobody can be asked.
    private func find(
        passphraseOf side: Side, _ previous: Key?, isSecond: Bool = false, _ context: OperationContext
    ) async throws -> Key? {
        guard try await context.blocking({ _ in try side.reader.asksForPassphrase() }) else { return nil }
        if isSecond, let own = try await PassphraseSource(otherPassphrase).read() {
            return Key(secret: own, origin: .given)
        }
        if let previous, previous.origin == .given { return Key(secret: previous.secret, origin: .ofFirst) }
        if let given = try await passphrase.read() { return Key(secret: given, origin: .given) }
        if case .folder(let location) = side.place,
            let stored = try await passphrase.stored(of: location, in: context)
        {
            return Key(secret: stored, origin: .stored)
        }
        if let previous { return Key(secret: previous.secret, origin: .ofFirst) }
        return try await context.asking(to: "compare its databases")
            .askedPassphrase(of: side.reader.name, opening: side.reader)
            .map { Key(secret: $0, origin: .asked) }
    }
}

/// A passphrase does not open one of two accounts that are compared.
package struct ComparedPassphraseError: Failure {
    /// Where a passphrase comes from.
    package enum Origin: Sendable {
        /// From the caller.
        case given
        /// From a key store.
        case stored
        /// From the user, who was asked.
        case asked
        /// It is that of the first account, and may not be the second one's.
        case ofFirst
    }

    package let origin: Origin
    /// Whether it is the second account.
    package let isOfSecond: Bool
    private let failure: ComparisonError

    package var code: FailureCode { failure.code }
    package var message: String { failure.message }
    package var subject: String? { failure.subject }
    package var cause: (any Error)? { failure.cause }
    package var remedy: Remedy? { failure.remedy }

    init(_ failure: ComparisonError, _ origin: Origin) {
        self.failure = failure
        self.origin = origin
        isOfSecond = failure.isOfSecond
    }
}
