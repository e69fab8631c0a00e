import ValiseFailures
import ValiseMoves
import ValiseTransfers
import ValiseXFTPClient

/// What becomes of the job of an operation that ended in the foreground.
enum JobDisposition {
    case done
    /// It failed for good: the user was told, and the job goes.
    case gone(String)
    /// The job can run again at once.
    case interrupted
    /// The job is tried again later.
    case later(String)
    /// The job waits for what the user has to do first.
    case needsUser(String)

    /// After a failure: what trying again can help stays.
    init(_ error: any Error, remedies: RemedyWords) {
        guard let failure = error as? any Failure else {
            self = .gone("\(error)")
            return
        }
        switch failure.code {
        // Whoever said no does not want it resumed.
        case _ where (failure as? DeviceMigrationError)?.kind == .declined:
            self = .gone(failure.description(remedies: remedies))
        // Nothing failed: the same job continues once somebody has approved the relays.
        case _ where (failure as? OperationError)?.need == .relayApproval:
            self = .needsUser(failure.description(remedies: remedies))
        case .interrupted: self = .interrupted
        case _ where failure.isOfRelaysForATime: self = .later(failure.description(remedies: remedies))
        // The same again comes to the same limit.
        case .noSpace where failure.remedy == .raiseSizeLimit:
            self = .gone(failure.description(remedies: remedies))
        case .noSpace: self = .needsUser(failure.description(remedies: remedies))
        default: self = .gone(failure.description(remedies: remedies))
        }
    }

    /// Whether the job stays.
    var keepsJob: Bool {
        switch self {
        case .done, .gone: false
        case .interrupted, .later, .needsUser: true
        }
    }
}

extension Failure {
    /// Whether relays cannot be reached or have no space now; not one that is another than its address says.
    var isOfRelaysForATime: Bool {
        guard (self as? FileTransferError)?.kind == .relays else { return false }
        let decisive = (cause as? RelayFailures)?.worst ?? cause
        return code == .noSpace || (decisive as? XFTPClientError)?.isTemporary == true
    }
}
