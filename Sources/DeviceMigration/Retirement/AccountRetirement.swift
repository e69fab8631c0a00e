public import Accounts
public import Files

/// Takes an account out of use that lives on another machine now, so that no program starts it by accident; brings it
/// back; removes it.
///
/// The ``Accounts/RetiredMark`` is the decision. With it the account is retired for every act of Valise, wherever a run
/// was interrupted, and the next run completes the rest.
public struct AccountRetirement: Sendable {
    public let location: AccountLocation

    public init(_ location: AccountLocation, fileSystem: FileSystem = FileSystem()) {
        self.location = location
    }

    /// Marks the account and gives its databases names that no program looks for. Media stay where they are.
    ///
    /// An account that is retired already keeps its mark; what is left to do is done.
    ///
    /// - Throws: ``AccountError``: `inUse`; ``DeviceMigrationError``: `failed` where a program left a journal, which has
    ///   to be folded first; ``FileError``. Without the mark, nothing was changed then.
    public func retire(_ mark: RetiredMark) throws {
        throw DeviceMigrationError(.failed, "not made yet")
    }

    /// Completes what a killed run of ``retire(_:)`` left; also what a killed ``undo()`` began, back to retired.
    ///
    /// - Returns: whether there was anything to do.
    /// - Throws: ``AccountError``: `inUse`; ``FileError``.
    @discardableResult
    public func complete() throws -> Bool {
        throw DeviceMigrationError(.failed, "not made yet")
    }

    /// Brings the account back as it was. Whoever uses it while the other one is used breaks connections of both.
    ///
    /// A run that is killed leaves a retired account, or the whole one; the next run of this completes it.
    ///
    /// - Throws: ``DeviceMigrationError``: `notRetired`; `nameTaken` where a program has made a database of the name
    ///   meanwhile, nothing was changed then; ``AccountError``: `inUse`; ``FileError``.
    public func undo() throws {
        throw DeviceMigrationError(.failed, "not made yet")
    }

    /// Removes the databases and media of a retired account, and then its mark.
    ///
    /// - Throws: ``DeviceMigrationError``: `notRetired`; ``AccountError``: `inUse`; ``FileError``: what is left is still
    ///   retired, and the next run goes on.
    public func remove() throws {
        throw DeviceMigrationError(.failed, "not made yet")
    }
}
