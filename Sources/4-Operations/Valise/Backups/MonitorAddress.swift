import ValiseConcurrency
import ValiseFailures
import ValiseStorage

/// The address of a service that raises an alarm where it hears nothing, or of a failure.
///
/// It is told by requests of the address itself, and with `/start` or `/fail` behind it, as healthchecks.io and others have it.
/// Nobody there learns more than that.
package struct MonitorAddress: Sendable {
    /// What it is told.
    package enum Event: String, Sendable {
        case start
        case success
        case failure
    }

    private let address: HTTPAddress

    /// - Throws: `StorageError`: `invalid`.
    package init(_ text: String) throws { address = try HTTPAddress(text) }

    /// As it was given.
    package var text: String { address.text }

    /// Longer than this nobody waits for it, in seconds.
    private static let patience = 10

    /// Tells it. A monitor that cannot be reached is noted, and keeps nothing from being done.
    func report(_ event: Event, in context: OperationContext) async {
        let url =
            switch event {
            case .start: address.text + "/start"
            case .success: address.text
            case .failure: address.text + "/fail"
            }
        do {
            try await BlockingExecutor.shared.run {
                var settings = HTTPTransfer.Settings()
                settings.user = address.user
                (settings.connectSeconds, settings.stallSeconds) = (Self.patience, Self.patience)
                let answer = try HTTPTransfer(settings).perform(HTTPRequest(.get, url, mostBytes: 4096))
                guard answer.isSuccess else {
                    throw StorageError(
                        .general, .failed, "the monitor answers with status \(answer.status)", url)
                }
            }
        } catch {
            context.note(MonitorNote(address: address.text, reason: error.sentence))
        }
    }
}

/// A monitor was not told.
package struct MonitorNote: OperationNote {
    package let address: String
    /// One sentence.
    package let reason: String

    package var text: String { "the monitor at \(address) could not be told: \(reason)" }
}
