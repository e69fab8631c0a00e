import ValiseAccounts
import ValiseConcurrency
import ValiseFailures
import ValiseTransfers
import ValiseXFTPWire

/// Who is told what happens during a transfer.
protocol TransferListener: Sendable {
    /// Shows how far it is. Only the last one counts.
    func show(_ progress: OperationProgress)
    /// A line for the user.
    func note(_ text: String)
    /// A line for the user, unless the failure that ends the transfer says the same at once.
    func note(trouble message: String, of subject: String)
}

extension AsynchronousWork: TransferListener {}

/// What happens during a transfer, in words and as a progress line.
struct TransferNarration<Listener: TransferListener>: Sendable {
    /// Such as `sending report.pdf`; nil for what the library calls it.
    let activity: String?
    let work: Listener
    private let relays = RelayStates()

    init(activity: String? = nil, work: Listener) {
        self.activity = activity
        self.work = work
    }

    func tell(_ event: OperationEvent) {
        switch event {
        case .progress(var progress):
            if let activity { progress.activity = activity }
            work.show(progress)
        case .note(let note as TransferNote): tell(note)
        case .note(let note): work.note(note.text)
        case .entryFailed(let failure): work.note(trouble: failure.error.sentence, of: failure.entry)
        }
    }

    func tell(_ note: TransferNote) {
        switch note {
        case .connected(let relay):
            if relays.answered(relay) { work.note("\(relay.text) answers again") }
        case .resumed(let chunks, let all):
            work.note(
                "\(Count.text(chunks, "chunk")) of \(all) had been transferred before; going on with the rest"
            )
        case .troubled(let relay, let error):
            if relays.troubled(relay, error.sentence) {
                work.note(trouble: error.sentence, of: relay.text)
            }
        case .retry:
            if relays.retries() { work.note("trying again, for about a minute") }
        case .restarted, .named: work.note(note.text)
        case .warning(let warning): work.note(Self.text(warning))
        }
    }

    private static func text(_ warning: TransferWarning) -> String {
        switch warning {
        case .largeFile(let size):
            "this file has \(ByteCount.text(size)): the official apps receive more than 1 GiB by link only"
        case .leftBehind(let chunks):
            "\(Count.text(chunks, "chunk")) could not be removed from the relays and will expire there"
        case .notAcknowledged(let chunks):
            "\(Count.text(chunks, "chunk")) could not be acknowledged and will expire on the relays"
        case .kept(let folder):
            "what was received is kept in \(folder), and the same command goes on with it; remove it if you do not want to"
        case .otherForm(let folder):
            "what an earlier run had received of this file, \(folder), is of no use with this choice of "
                + "--key-output and stays there; remove it if you do not want to go on with it"
        case .divided, .onePart: warning.text
        }
    }
}
