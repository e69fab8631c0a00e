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
    /// Such as `sending report.pdf`.
    let activity: String
    let work: Listener
    private let relays = RelayStates()
    private let pace = TransferPace()

    init(activity: String, work: Listener) {
        self.activity = activity
        self.work = work
    }

    func tell(_ event: TransferEvent) {
        switch event {
        case .progress(let done, let total):
            let pace = pace.text(done: done, total: total).map { "  \($0)" } ?? ""
            work.show(OperationProgress(activity + pace, completed: done, total: total))
        case .connected(let relay):
            if relays.answered(relay) { work.note("\(relay.text) answers again") }
        case .resumed(let chunks, let all):
            pace.restart()
            work.note(
                "\(Count.text(chunks, "chunk")) of \(all) had been transferred before; going on with the rest"
            )
        case .restarted(.sourceChanged):
            work.note("the file was changed since the last run; it is sent anew")
        case .restarted(.tooOld):
            work.note("the last run is too long ago for the relays; the file is sent anew")
        case .restarted(.otherRelays):
            work.note("the last run sent the file to other relays; it is sent anew")
        case .troubled(let relay, let error):
            if relays.troubled(relay, error.sentence) {
                work.note(trouble: error.sentence, of: relay.text)
            }
        case .retry:
            if relays.retries() { work.note("trying again, for about a minute") }
        case .named(let name): work.note("the file's name is \(name)")
        case .warning(let warning): work.note(Self.text(warning))
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
            "what was received is kept in \(folder), and the same command goes on with it; remove it if you do not want to"
        case .otherForm(let folder):
            "what an earlier run had received of this file, \(folder), is of no use with this choice of "
                + "--key-output and stays there; remove it if you do not want to go on with it"
        case .onePart(let number, let all):
            "this is part \(number) of \(all) of a larger file; receive it with all links together"
        }
    }
}
