import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
package import ValiseTransfers
package import ValiseXFTPWire

/// What is told of a transfer beside its progress: of the relays each change once, not each try of each chunk.
package enum TransferNotice: OperationNote {
    /// A relay that was in trouble answers again.
    case answersAgain(XFTPAddress)
    /// A relay is in trouble; what ends the transfer may say the same.
    case troubled(XFTPAddress, any Error)
    /// So many chunks of all had been transferred by an earlier run.
    case resumed(chunks: Int, of: Int)
    /// What an earlier run had sent is of no use any more.
    case restarted(TransferSubject, RestartReason)
    /// Chunks are tried again, for about a minute.
    case tryingAgain
    /// The name that a received file has.
    case named(String)
    case warning(TransferWarning)
    /// What troubled relays until now is told by the report.
    case settled

    /// What is sent.
    package enum TransferSubject: String, Sendable {
        case file, account
    }

    package var text: String {
        switch self {
        case .answersAgain(let relay): "\(relay.text) is reachable again"
        case .troubled(let relay, let error): "\(relay.text): \(error.sentence)"
        case .resumed(let chunks, let all):
            "\(chunks) of \(Count.text(all, "chunk")) already transferred; resuming"
        case .restarted(let subject, .sourceChanged):
            "the \(subject.rawValue) has changed since the last run; sending it again from the start"
        case .restarted(let subject, .tooOld):
            "the last run is too old for the relays; sending the \(subject.rawValue) again from the start"
        case .restarted(let subject, .otherRelays):
            "the last run used other relays; sending the \(subject.rawValue) again from the start"
        case .tryingAgain: "retrying for about a minute"
        case .named(let name): "file name: \(name)"
        case .warning(let warning): warning.text
        case .settled: "the relays have responded"
        }
    }
}

/// Turns what happens during a transfer into events of an operation: each change of a relay is told once.
struct TransferReporter: Sendable {
    /// Such as `sending`; nil for what the library calls it.
    private let activity: String?
    /// What is sent, where it is named.
    private let file: String?
    private let subject: TransferNotice.TransferSubject
    private let context: OperationContext
    private let relays = RelayStates()

    init(
        _ activity: String? = nil, file: String? = nil,
        of subject: TransferNotice.TransferSubject = .file, _ context: OperationContext
    ) {
        self.activity = activity
        self.file = file
        self.subject = subject
        self.context = context
    }

    func tell(_ event: OperationEvent) {
        switch event {
        case .progress: context.events(activity.map { event.progressing($0, file: file) } ?? event)
        case .note(let note as TransferNote): tell(note)
        case .note, .entryFailed: context.events(event)
        }
    }

    private func tell(_ note: TransferNote) {
        switch note {
        case .connected(let relay):
            if relays.answered(relay) { notice(.answersAgain(relay)) }
        case .resumed(let chunks, let all): notice(.resumed(chunks: chunks, of: all))
        case .restarted(let reason): notice(.restarted(subject, reason))
        case .troubled(let relay, let error):
            if relays.troubled(relay, error.sentence) { notice(.troubled(relay, error)) }
        case .retry:
            if relays.retries() { notice(.tryingAgain) }
        case .named(let name): if subject == .file { notice(.named(name)) }
        // The file is an archive, and the plan says what is to be known of its size.
        case .warning(.largeFile) where subject == .account, .warning(.divided) where subject == .account:
            break
        case .warning(let warning): notice(.warning(warning))
        }
    }

    private func notice(_ notice: TransferNotice) { context.note(notice) }
}
