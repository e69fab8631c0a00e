import ArgumentParser
import Valise

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The exit statuses of all commands, in one table.
enum ExitStatus: Int32 {
    case done = 0
    case failed = 1
    /// Done, with errors in some entries.
    case entryErrors = 3
    case notFound = 10
    case inUse = 11
    case wrongPassphrase = 12
    case damaged = 13
    case unsupported = 14
    case noSpace = 15
    /// Expired, deleted, or never on the relay.
    case gone = 16
    /// Work is pending, and `--exit-code` was given.
    case workDue = 20
    case usage = 64
    case interrupted = 130

    init(_ code: FailureCode) {
        switch code {
        case .failed, .alreadyExists, .denied: self = .failed
        case .notFound: self = .notFound
        case .inUse: self = .inUse
        case .wrongPassphrase: self = .wrongPassphrase
        case .damaged: self = .damaged
        case .unsupported, .newer: self = .unsupported
        case .noSpace: self = .noSpace
        case .gone: self = .gone
        case .invalid: self = .usage
        case .interrupted: self = .interrupted
        }
    }

    /// Ends the process with it, after everything was printed.
    func endProcess() -> Never { exit(rawValue) }

    /// The table as the manual pages show it.
    static let table = """
        Exit status: 0 done; 1 failed; 3 done, with errors in some entries; 10 not found; 11 in use; \
        12 wrong passphrase; 13 damaged; 14 unsupported or newer; 15 no space; 16 expired or gone from the \
        relay; 20 work is pending (with --exit-code); 64 usage; 130 interrupted.
        """
}
