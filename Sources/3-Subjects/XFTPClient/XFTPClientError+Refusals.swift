import ValiseFailures
import ValiseXFTPWire

/// What was asked when a relay refused: it decides what a refusal means.
enum Request: String, Sendable {
    case handshake = "the handshake"
    case create = "a new chunk"
    case addRecipients = "more recipients"
    case upload = "the chunk's content"
    case download = "the chunk"
    case acknowledge = "the acknowledgement"
    case delete = "the deletion"
    case ping = "a sign of life"
}

extension XFTPClientError {
    /// A relay's own error as an answer to a request.
    static func refused(_ error: XFTPErrorCode, _ request: Request, relay: String) -> XFTPClientError {
        XFTPClientError(
            .refused(error), code: code(of: error, request), sentence(for: error, request), relay: relay)
    }

    private static func code(of error: XFTPErrorCode, _ request: Request) -> FailureCode? {
        switch (error, request) {
        // A relay says the same of an unknown name and of a wrong key, and forgets files after two days.
        case (.auth, .addRecipients), (.auth, .upload), (.auth, .download), (.auth, .acknowledge),
            (.auth, .delete):
            .gone
        case (.noFile, _): .gone
        case (.digest, _): .damaged
        default: nil
        }
    }

    private static func sentence(for error: XFTPErrorCode, _ request: Request) -> String {
        switch (error, request) {
        case (.auth, .create):
            "the relay takes no new files, or not with this password; nothing was stored there; "
                + "check the password in its address or use another relay"
        case (.auth, .download):
            "the relay does not have the chunk: it expired (relays keep files for some two days), was deleted, "
                + "or the description is not its own; ask the sender to send the file again"
        case (.auth, .upload), (.auth, .addRecipients):
            "the relay does not know the chunk any more: it expired or was deleted; send the file again"
        case (.auth, .delete), (.auth, .acknowledge):
            "the relay does not know the chunk: it expired or was deleted before"
        case (.blocked(let info), _): blocked(info)
        case (.quota, _):
            "the relay has no space left for the chunk; nothing of it was kept; use another relay or try later"
        case (.noFile, _):
            "the chunk was announced to the relay and never uploaded; ask the sender to send the file again"
        case (.size, .create): "the relay does not take chunks of this size; nothing was stored there"
        case (.size, _):
            "the relay received more or less than was announced and kept nothing of it; send the chunk again"
        case (.digest, _):
            "what the relay received is not what was announced and it kept nothing of it; send the chunk again"
        case (.timeout, _), (.fileIO, _), (.internal, _):
            "the relay failed at \(request.rawValue) (\(error.text)); try later"
        default: "the relay refused \(request.rawValue) (\(error.text))"
        }
    }

    private static func blocked(_ info: BlockingInfo) -> String {
        let reason = info.reason == .spam ? "as spam" : "for its content"
        return "the relay's operator blocked the file \(reason); it can no longer be used from there"
    }
}
