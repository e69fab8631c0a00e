package import SystemPackage
import ValiseAccountArchives
package import ValiseAccounts
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// What shows before the passphrase is known.
extension AccountMove {
    /// Refuses an account that cannot be sent now, and an archive that could not be written: before anybody is asked for a
    /// passphrase, and before there is a record. What an earlier run began to write, the next one continues.
    ///
    /// - Parameters:
    ///   - location: the account that would be sent.
    ///   - archive: the file to write; nil for relays.
    /// - Throws: ``DeviceMigrationError`` with `sourceInUse`; `AccountArchiveError` with `noSpace`; `AccountError` with
    ///   `unsupported`; as ``checkPlace(of:_:)``.
    package func refuseSending(_ location: AccountLocation, to archive: FilePath?) throws {
        try SendingSource(location: location, fileSystem: fileSystem).refuseInUse()
        guard let archive else { return }
        if try summary(of: location, side: .sending)?.sendingState?.isUnderWay == true { return }
        try checkPlace(of: archive, location)
        // What else is wrong with the account, such as an interrupted operation, the run itself sees to.
        guard let found = try? ArchiveExport(fileSystem: fileSystem).contents(of: location) else { return }
        try checkSpace(found.spaceNeeded, for: archive)
    }

    /// - Parameter needed: in bytes.
    /// - Throws: `AccountArchiveError` with `noSpace`; `FileError`.
    func checkSpace(_ needed: Int64, for archive: FilePath) throws {
        let free = try fileSystem.freeSpace(at: archive.parentFolder)
        guard free >= needed else {
            throw AccountArchiveError(
                .noSpace,
                "not enough free space: up to \(Count.bytes(needed)) needed, \(Count.bytes(free)) available. "
                    + "Nothing was written.",
                subject: archive.string, remedy: .freeSpace(needed, in: archive.parentFolder))
        }
    }

    /// - Throws: `AccountArchiveError` with `alreadyExists`; `AccountError` with `invalid` for a place in an account;
    ///   `FileError` with `notFound` where the folder is missing.
    func checkPlace(of archive: FilePath, _ location: AccountLocation) throws {
        guard try !fileSystem.exists(archive) else {
            throw AccountArchiveError(
                .alreadyExists, "a file with this name already exists", subject: archive.string,
                remedy: .chooseAnotherName)
        }
        guard try fileSystem.isDirectory(archive.parentFolder) else {
            throw FileError.noFolder(archive.parentFolder)
        }
        try AccountPaths.refuse(archive, for: "the archive", and: location, fileSystem: fileSystem)
    }
}

extension SendingState.Name {
    /// Whether the user agreed, so that something may be sent or written, and the move is not over.
    fileprivate var isUnderWay: Bool {
        switch self {
        case .chatStopInProgress, .chatStopFailed, .passphraseNotSet, .passphraseConfirmation,
            .uploadConfirmation, .finished, .cancelled:
            false
        case .archiving, .uploadProgress, .uploadFailed, .linkCreation, .linkShown, .finishing, .cancelling:
            true
        }
    }
}
