public import SystemPackage
public import ValiseFailures

/// What was found when an installation was checked.
public struct Diagnosis: Sendable {
    /// What is looked at, in the order of the findings.
    public enum Check: String, Sendable, Codable, CaseIterable {
        /// A library that this program uses.
        case library
        /// Which implementation encrypts the pages of databases.
        case engine
        /// Whether secrets stay out of the swap.
        case memory
        /// Whether a crash leaves secrets in a file.
        case coreDumps
        /// A store of passphrases.
        case keyStore
        /// Free space.
        case space
        /// The time of day.
        case clock
        /// Who may read and change files.
        case permissions
        /// Unfinished and failed jobs.
        case jobs
        /// What interrupted operations left.
        case leftovers
        /// A relay.
        case relay
    }

    /// How serious a finding is.
    public enum State: String, Sendable, Codable {
        /// In order.
        case ok
        /// Worth knowing; nothing fails because of it.
        case note
        /// Something fails because of it, or will.
        case problem
    }

    /// One line.
    public struct Finding: Sendable {
        /// What was looked at.
        public let check: Check
        /// How serious it is.
        public let state: State
        package let text: RedactableText
        /// What can be done about it.
        public let remedies: [DiagnosisRemedy]

        /// What was found, in a sentence for the user, with names and paths.
        public var message: String { text.text }

        init(_ check: Check, _ state: State, _ text: RedactableText, _ remedies: DiagnosisRemedy...) {
            self.check = check
            self.state = state
            self.text = text
            self.remedies = remedies
        }
    }

    /// In the order of their checks.
    public let findings: [Finding]

    init(_ findings: [Finding]) { self.findings = findings }

    /// How many findings have a state.
    package func count(_ state: State) -> Int { findings.count { $0.state == state } }
}

/// What can be done about a finding. Whoever shows it has the words, as for every `Remedy`.
public enum DiagnosisRemedy: Sendable, Equatable {
    /// One that failures have, too.
    case common(Remedy)
    /// Let nobody else at anything in a folder.
    case makeContentPrivate(FilePath)
    /// Make everything in a folder the user's own.
    case takeOwnership(FilePath)
    /// Update or install a library.
    case updateLibrary(String)
    /// See who owns a file or folder, and who has access.
    case lookAt(FilePath)
    /// Move the queue of jobs away, to begin with an empty one.
    case setAside(FilePath)
    /// Let programs lock more memory.
    case raiseLockedMemory
    /// Let the shell forbid core dumps.
    case forbidCoreDumps
    /// Log in to a session with a keyring, or use another key store.
    case startKeyring
    /// Unlock the keyring of the desktop.
    case unlockKeyring
    /// Use another key store.
    case chooseKeyStore
    /// Set the time of day.
    case setClock
    /// Free space on the file system of a folder.
    case freeSpace(FilePath)
    /// Tell where the user's folders are.
    case nameHome
    /// List relays in the user's own list.
    case listRelays
    /// Check a relay's address and the way to it.
    case checkRelay
    /// Show interrupted uploads.
    case showUploads
    /// Show jobs and what else was interrupted.
    case showJobs
    /// Show moves.
    case showMoves
}

extension DiagnosisRemedy {
    /// For what cannot be looked at: what the failure has itself, or a look at who owns it.
    static func access(to path: FilePath, after error: any Error) -> DiagnosisRemedy {
        guard let remedy = (error as? any Failure)?.remedy else { return .lookAt(path) }
        return .common(remedy)
    }
}

extension [Diagnosis.Finding] {
    /// By their checks, those of one check as they came.
    var inOrder: Self { Diagnosis.Check.allCases.flatMap { check in filter { $0.check == check } } }
}
