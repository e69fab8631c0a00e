package import SystemPackage
import ValiseAccountArchives
package import ValiseAccounts
import ValiseFailures
import ValiseFiles

/// Where the archive of a move goes.
extension AccountMove {
    /// Refuses an archive that could not be written: before anybody is asked for a passphrase, and before there is a record.
    /// What an earlier run began to write, the next one continues.
    ///
    /// - Parameters:
    ///   - archive: the file to write.
    ///   - location: the account that would be sent.
    /// - Throws: as ``checkPlace(of:_:)``.
    package func refuseArchive(at archive: FilePath, of location: AccountLocation) throws {
        if try summary(of: location, side: .sending)?.sendingState?.isUnderWay == true { return }
        try checkPlace(of: archive, location)
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
