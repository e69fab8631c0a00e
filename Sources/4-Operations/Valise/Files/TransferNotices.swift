import ValiseConcurrency
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
        case .answersAgain(let relay): "\(relay.text) answers again"
        case .troubled(let relay, let error): "\(relay.text): \(error.sentence)"
        case .resumed(let chunks, let all):
            "\(Count.text(chunks, "chunk")) of \(all) had been transferred before; resuming the rest"
        case .restarted(let subject, .sourceChanged):
            "the \(subject.rawValue) was changed since the last run; it is sent anew"
        case .restarted(let subject, .tooOld):
            "the last run is too long ago for the relays; the \(subject.rawValue) is sent anew"
        case .restarted(let subject, .otherRelays):
            "the last run sent the \(subject.rawValue) to other relays; it is sent anew"
        case .tryingAgain: "trying again, for about a minute"
        case .named(let name): "the file's name is \(name)"
        case .warning(let warning): Self.text(warning)
        case .settled: "the relays have answered"
        }
    }

    private static func text(_ warning: TransferWarning) -> String {
        switch warning {
        case .largeFile(let size):
            "this file has \(ByteCount.text(size)): the official apps receive more than 1 GiB by link only"
        case .divided(let parts):
            "this file is larger than one link may name; it has \(parts) parts, and all their links are needed"
        case .leftBehind(let chunks):
            "\(Count.text(chunks, "chunk")) could not be removed from the relays and will expire there"
        case .notAcknowledged(let chunks):
            "\(Count.text(chunks, "chunk")) could not be acknowledged and will expire on the relays"
        case .kept(let folder):
            "what was received is kept in \(folder), and the same command resumes it; remove it if you do not want to"
        case .otherForm(let folder):
            "what an earlier run had received of this file, \(folder), is in the other form, encrypted or not, and of no "
                + "use here; it stays there"
        case .onePart(let number, let all):
            "this is part \(number) of \(all) of a larger file; receive it with all links together"
        }
    }
}

/// Turns what happens during a transfer into events of an operation: each change of a relay is told once.
struct TransferReporter: Sendable {
    /// Such as `sending report.pdf`; nil for what the library calls it.
    private let activity: String?
    private let subject: TransferNotice.TransferSubject
    private let context: OperationContext
    private let relays = RelayStates()

    init(
        _ activity: String? = nil, of subject: TransferNotice.TransferSubject = .file,
        _ context: OperationContext
    ) {
        self.activity = activity
        self.subject = subject
        self.context = context
    }

    func tell(_ event: OperationEvent) {
        switch event {
        case .progress: context.events(activity.map(event.progressing) ?? event)
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
