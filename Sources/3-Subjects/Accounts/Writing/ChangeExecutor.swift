import SystemPackage
import ValiseFailures
import ValiseFiles

/// Carries out a journal. Every step may have been done already, by a run that was interrupted.
struct ChangeExecutor {
    private let location: AccountLocation
    private let fileSystem: FileSystem
    private let previous: PreviousDatabases

    init(_ location: AccountLocation, _ fileSystem: FileSystem) {
        self.location = location
        self.fileSystem = fileSystem
        previous = PreviousDatabases(location, fileSystem)
    }

    /// Whether somebody used the account after an operation was decided and before any of it was in place:
    /// then what was prepared is outdated, and putting it in place would lose what was written since.
    func isOutdated(_ journal: ChangeJournal) throws -> Bool {
        for step in journal.steps {
            switch step {
            case .database(let staged, let target):
                guard try fileSystem.exists(location.directory.appending(staged)) else { return false }
                // Its place is empty or taken by what an app made, and dropping the operation would remove it.
                if try previous.hasLeft(target) { return false }
            case .merge(let staged, _, _), .file(let staged, _):
                guard try fileSystem.exists(location.directory.appending(staged)) else { return false }
            case .folder, .removal: continue
            }
        }
        return try hasLaterWork(journal)
    }

    /// Whether what is kept of this operation has what was written after it was decided.
    func keepsLaterWork(_ journal: ChangeJournal) throws -> Bool {
        try journal.keepsLaterWork == true || hasLaterWork(journal)
    }

    /// Whether a database that is still to be replaced is not the one that the operation was decided about.
    private func hasLaterWork(_ journal: ChangeJournal) throws -> Bool {
        for case .database(let staged, let target) in journal.steps
        where try fileSystem.exists(location.directory.appending(staged)) {
            guard let found = try FileStamp(location.directory.appending(target), fileSystem) else {
                continue
            }
            if let replaced = journal.replaced, found != replaced[target] { return true }
            if try previous.hasLeft(target) { return true }
        }
        return false
    }

    /// Drops an operation that is outdated. The journal goes first: without it nothing is put in place any more.
    func drop() throws {
        try fileSystem.remove(location.workFolder.appending(ChangeJournal.fileName))
        try fileSystem.synchronizeDirectory(location.workFolder)
        try WorkFolder(location, fileSystem).discardPreparations()
    }

    /// - Returns: what is kept of the replaced databases, and where.
    @discardableResult
    func complete(_ decided: ChangeJournal, proof: () throws -> Void = {}) throws -> ChangeOutcome {
        var journal = try avoidingClash(decided)
        var isKept = true
        // With the backup in its place, an interrupted run had all steps done.
        if try !(journal.keepsBackup && previous.isBackup) {
            journal = try keepingLaterWork(journal)
            try previous.keep(stagedTargets(journal))
            for step in journal.steps { try perform(step) }
            try fileSystem.synchronizeDirectory(location.directory)
            // From here on all counts as in place: after a power loss nothing may be back where it was staged,
            // and nothing may be missing of what is kept.
            for name in [AccountChange.stagedName, AccountChange.previousName] {
                let folder = location.workFolder.appending(name)
                if try fileSystem.exists(folder) { try fileSystem.synchronizeDirectory(folder) }
            }
            let failure = Self.failure(of: proof)
            if failure == nil, journal.keepsPrevious == true { try previous.publish(journal.databases) }
            if failure == nil, let folder = journal.keepsPreviousIn {
                isKept = try previous.publish(journal.databases, in: location.directory.appending(folder))
            }
            if journal.keepsBackup || failure != nil || !isKept { try previous.becomeBackup() }
            if let failure {
                try WorkFolder(location, fileSystem).finish(droppingBackup: false)
                throw failure
            }
        }
        try WorkFolder(location, fileSystem).finish(droppingBackup: journal.dropsBackup)
        return ChangeOutcome(
            keptPrevious: isKept ? journal.keepsPreviousIn : nil, keepsBackup: journal.keepsBackup || !isKept)
    }

    /// Somebody may have taken the name of the folder since the operation was decided: then the previous account gets
    /// another one, rather than that nothing goes on.
    private func avoidingClash(_ journal: ChangeJournal) throws -> ChangeJournal {
        guard let folder = journal.keepsPreviousIn, try isStaged(folder, journal),
            try fileSystem.exists(location.directory.appending(folder))
        else { return journal }
        var number = 2
        while try fileSystem.exists(location.directory.appending("\(folder)-\(number)")) { number += 1 }
        let journal = journal.keepingPrevious(in: "\(folder)-\(number)")
        try journal.write(in: location.workFolder, fileSystem)
        return journal
    }

    /// Whether a folder is still to be put in place, which is one step where nothing of its name is there.
    private func isStaged(_ folder: String, _ journal: ChangeJournal) throws -> Bool {
        try journal.steps.contains {
            guard case .merge(let staged, folder, _) = $0 else { return false }
            return try fileSystem.exists(location.directory.appending(staged))
        }
    }

    /// With a part in place already the rest has to follow, and later work is kept: with the previous account, or as
    /// a backup. That goes into
    /// the journal before anything else: afterwards nobody could tell any more.
    private func keepingLaterWork(_ journal: ChangeJournal) throws -> ChangeJournal {
        guard journal.keepsLaterWork != true, try hasLaterWork(journal) else { return journal }
        let journal = journal.keepingLaterWork()
        if journal.keepsBackup { try previous.refuseSecondBackup() }
        try journal.write(in: location.workFolder, fileSystem)
        return journal
    }

    /// The databases that are still to be replaced.
    private func stagedTargets(_ journal: ChangeJournal) throws -> [String] {
        var targets: [String] = []
        for case .database(let staged, let target) in journal.steps
        where try fileSystem.exists(location.directory.appending(staged)) {
            targets.append(target)
        }
        return targets
    }

    private static func failure(of proof: () throws -> Void) -> ChangeProofError? {
        do {
            try proof()
            return nil
        } catch {
            return ChangeProofError(cause: error)
        }
    }

    private func perform(_ step: ChangeStep) throws {
        switch step {
        case .database(let staged, let target):
            if try fileSystem.exists(location.directory.appending(staged)) {
                try previous.makeWay(target)
                try fileSystem.rename(
                    location.directory.appending(staged), to: location.directory.appending(target))
            }
            // What follows must not be durable before this, nor where it was done by a run that was killed.
            try fileSystem.synchronizeDirectory(location.directory)
        case .merge(let staged, let target, let growth):
            try FolderMerge(
                staged: location.directory.appending(staged), target: location.directory.appending(target),
                growth: growth, fileSystem: fileSystem
            ).run()
        case .folder(let target):
            try fileSystem.makeDirectories(location.directory.appending(target))
        case .removal(let target):
            let path = location.directory.appending(target)
            if try fileSystem.exists(path) { try fileSystem.remove(path) }
            try fileSystem.synchronizeDirectory(location.directory)
        case .file(let staged, let target):
            if try fileSystem.exists(location.directory.appending(staged)) {
                try fileSystem.rename(
                    location.directory.appending(staged), to: location.directory.appending(target))
            }
            try fileSystem.synchronizeDirectory(location.directory)
        }
    }
}

/// What a completed operation has kept of the databases that it replaced.
package struct ChangeOutcome: Sendable, Equatable {
    /// The folder of the replaced account, inside the account's; nil where it is not kept there.
    package let keptPrevious: String?
    /// Whether they stay for ``AccountBackup``.
    package let keepsBackup: Bool
}

/// What was put in place was tried and did not pass.
struct ChangeProofError: Error {
    let cause: any Error
}
