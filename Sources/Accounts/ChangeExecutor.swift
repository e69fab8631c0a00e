import Failures
import Files
import SystemPackage

/// Carries out a journal. Every step may have been done already, by a run that was interrupted.
struct ChangeExecutor {
    private let location: AccountLocation
    private let fileSystem: FileSystem
    private let formerFolder: FilePath

    init(_ location: AccountLocation, _ fileSystem: FileSystem) {
        self.location = location
        self.fileSystem = fileSystem
        formerFolder = location.workFolder.appending(AccountChange.formerName)
    }

    /// Whether somebody went on with the account after an act was decided and before any of it was in place:
    /// then what was prepared is outdated, and putting it in place would lose what was written since.
    func isOutdated(_ journal: ChangeJournal) throws -> Bool {
        for step in journal.steps {
            switch step {
            case .database(let staged, _), .merge(let staged, _):
                guard try fileSystem.exists(location.directory.appending(staged)) else { return false }
            case .folder: continue
            }
        }
        return try hasLaterWork(journal)
    }

    /// Whether a database that is still to be replaced is not the one that the act was decided about.
    private func hasLaterWork(_ journal: ChangeJournal) throws -> Bool {
        guard let replaced = journal.replaced else { return false }
        for case .database(let staged, let target) in journal.steps
        where try fileSystem.exists(location.directory.appending(staged)) {
            let found = try FileStamp(location.directory.appending(target), fileSystem)
            if let found, found != replaced[target] { return true }
        }
        return false
    }

    /// Drops an act that is outdated. The journal goes first: without it nothing is put in place any more.
    func drop() throws {
        try fileSystem.remove(location.workFolder.appending(ChangeJournal.fileName))
        try fileSystem.synchronizeDirectory(location.workFolder)
        try WorkFolder(location, fileSystem).discardPreparations()
    }

    func complete(_ journal: ChangeJournal, proof: () throws -> Void = {}) throws {
        let backup = location.workFolder.appending(AccountChange.backupName)
        // With the backup in its place, an interrupted run had all steps done.
        let isSwapped = try journal.keepsBackup && fileSystem.exists(backup)
        if !isSwapped {
            // With a part in place already the rest has to follow, and later work is kept instead.
            let keepsLaterWork = try hasLaterWork(journal)
            try makeFolderUnlessThere(formerFolder)
            try fileSystem.synchronizeDirectory(location.workFolder)
            for step in journal.steps { try keepFormer(step) }
            try fileSystem.synchronizeDirectory(formerFolder)
            for step in journal.steps { try perform(step) }
            try fileSystem.synchronizeDirectory(location.directory)
            // From here on all counts as in place: after a power loss nothing may be back where it was staged,
            // and nothing may be missing of what is kept.
            for name in [AccountChange.stagedName, AccountChange.formerName] {
                let folder = location.workFolder.appending(name)
                if try fileSystem.exists(folder) { try fileSystem.synchronizeDirectory(folder) }
            }
            let failure = Self.failure(of: proof)
            if failure == nil, journal.keepsFormer == true { try publishFormer(journal) }
            if journal.keepsBackup || failure != nil || keepsLaterWork {
                try refuseSecondBackup(backup)
                try fileSystem.rename(formerFolder, to: backup)
                try fileSystem.synchronizeDirectory(location.workFolder)
            }
            if let failure {
                try WorkFolder(location, fileSystem).finish(droppingBackup: false)
                throw failure
            }
        }
        try WorkFolder(location, fileSystem).finish(droppingBackup: journal.dropsBackup)
    }

    private func refuseSecondBackup(_ backup: FilePath) throws {
        guard try fileSystem.exists(backup) else { return }
        throw AccountError(
            .alreadyExists,
            "former databases are to be kept, and older ones are kept already; move this folder away first",
            backup)
    }

    private func makeFolderUnlessThere(_ path: FilePath) throws {
        if !(try fileSystem.exists(path)) { try fileSystem.makeDirectory(path) }
    }

    // MARK: Keeping what is replaced

    /// A second name for the former database, so that replacing it leaves no moment without one.
    private func keepFormer(_ step: ChangeStep) throws {
        guard case .database(let staged, let target) = step else { return }
        let path = location.directory.appending(target)
        let former = formerFolder.appending(target)
        guard try fileSystem.exists(location.directory.appending(staged)), try fileSystem.exists(path),
            !(try fileSystem.exists(former)), try sideFiles(of: path).isEmpty
        else { return }
        do {
            try fileSystem.link(path, as: former)
        } catch {
            // No hard links on this file system: it is moved away instead, a moment later.
            guard [.denied, .unsupported].contains(error.code) else { throw error }
        }
    }

    /// The former databases get a name beside the new ones. A hard link, so that the folder stays whole.
    private func publishFormer(_ journal: ChangeJournal) throws {
        for case .database(_, let target) in journal.steps {
            let former = formerFolder.appending(target)
            let kept = location.directory.appending(target).appendingSuffix(AccountChange.keptSuffix)
            guard try fileSystem.exists(former), !(try fileSystem.exists(kept)) else { continue }
            do {
                try fileSystem.link(former, as: kept)
            } catch {
                guard [.denied, .unsupported].contains(error.code) else { throw error }
                try fileSystem.rename(former, to: kept)
            }
        }
        try fileSystem.synchronizeDirectory(location.directory)
    }

    private static func failure(of proof: () throws -> Void) -> ChangeProofError? {
        do {
            try proof()
            return nil
        } catch {
            return ChangeProofError(cause: error)
        }
    }

    // MARK: Putting in place

    private func perform(_ step: ChangeStep) throws {
        switch step {
        case .database(let staged, let target):
            try replaceDatabase(location.directory.appending(staged), location.directory.appending(target))
        case .merge(let staged, let target):
            try merge(location.directory.appending(staged), location.directory.appending(target))
        case .folder(let target):
            try fileSystem.makeDirectories(location.directory.appending(target))
        }
    }

    private func replaceDatabase(_ staged: FilePath, _ target: FilePath) throws {
        guard try fileSystem.exists(staged), let name = target.lastComponent else { return }
        let sides = try sideFiles(of: target)
        let former = formerFolder.appending(name)
        // A journal must never stand beside another database than its own: SQLite would roll it back into
        // that. So the former database goes first, then its side files, then the new one comes.
        let isKept = try sides.isEmpty && fileSystem.exists(former)
        if try !isKept && fileSystem.exists(target) {
            try fileSystem.rename(target, to: try freeName(former))
        }
        for side in sides {
            guard let name = side.lastComponent else { continue }
            try fileSystem.rename(side, to: try freeName(formerFolder.appending(name)))
        }
        if !sides.isEmpty { try fileSystem.synchronizeDirectory(location.directory) }
        try fileSystem.rename(staged, to: target)
    }

    private func sideFiles(of path: FilePath) throws -> [FilePath] {
        try DatabaseFile.sideSuffixes.map { path.appendingSuffix($0) }.filter { try fileSystem.exists($0) }
    }

    /// Nothing that an app may have made in the meantime is overwritten.
    private func freeName(_ path: FilePath) throws -> FilePath {
        var candidate = path
        var number = 2
        while try fileSystem.exists(candidate) {
            candidate = path.appendingSuffix(".\(number)")
            number += 1
        }
        return candidate
    }

    private func merge(_ staged: FilePath, _ target: FilePath) throws {
        guard try fileSystem.exists(staged) else { return }
        guard try fileSystem.exists(target) else {
            // Nothing to merge with: the whole folder goes in one step.
            try fileSystem.makeDirectories(target.parentFolder)
            try fileSystem.rename(staged, to: target)
            return try fileSystem.synchronizeDirectory(target.parentFolder)
        }
        try fileSystem.makeDirectories(target)
        for entry in try fileSystem.list(staged) {
            guard let name = FilePath.Component(bytes: entry.nameBytes) else { continue }
            try fileSystem.rename(staged.appending(name), to: target.appending(name))
        }
        try fileSystem.synchronizeDirectory(target)
        try fileSystem.removeDirectory(staged)
    }
}

/// What was put in place was tried and did not pass.
struct ChangeProofError: Error {
    let cause: any Error
}
