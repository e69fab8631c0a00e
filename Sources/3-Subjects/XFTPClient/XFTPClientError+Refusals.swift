import ValiseFailures
import ValiseXFTPWire

/// What was asked when a relay refused: it decides what a refusal means.
enum Request: String, Sendable {
    case handshake = "the handshake"
    case create = "the chunk announcement"
    case addRecipients = "the recipient registration"
    case upload = "the upload"
    case download = "the download"
    case acknowledge = "the acknowledgment"
    case delete = "the deletion"
    case ping = "the ping"
}

extension XFTPClientError {
    /// A relay's own error as an answer to a request.
    static func refused(_ error: XFTPErrorCode, _ request: Request, relay: String) -> XFTPClientError {
        XFTPClientError(
            .refused(error), code: code(of: error, request), sentence(for: error, request), relay: relay,
            remedy: remedy(for: error, request))
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
            "the relay accepts no new files, or not with this password. Nothing was stored."
        case (.auth, .download):
            "the relay no longer has the file: it was already received, which removes it, or it expired after "
                + "about two days, was deleted, or does not belong to this file description"
        case (.auth, .upload), (.auth, .addRecipients):
            "the relay no longer has the chunk: it expired or was deleted"
        case (.auth, .delete), (.auth, .acknowledge):
            "the relay does not have the chunk: it already expired or was deleted"
        case (.blocked(let info), _): blocked(info)
        case (.quota, _):
            "the relay has no space for the chunk. Nothing was stored."
        case (.noFile, _):
            "the chunk was announced but never uploaded"
        case (.size, .create): "the relay does not accept chunks of this size. Nothing was stored."
        case (.size, _):
            "the relay received a chunk of the wrong size and discarded it"
        case (.digest, _):
            "the relay received a chunk with the wrong digest and discarded it"
        case (.timeout, _), (.fileIO, _), (.internal, _):
            "the relay failed on \(request.rawValue) (\(error.text))"
        default: "the relay refused \(request.rawValue) (\(error.text))"
        }
    }

    private static func remedy(for error: XFTPErrorCode, _ request: Request) -> Remedy? {
        switch (error, request) {
        case (.auth, .create): .checkRelayPassword
        case (.auth, .download), (.noFile, _): .askForNewLink
        case (.auth, .upload), (.auth, .addRecipients): .sendFileAgain
        case (.quota, _): .useAnotherRelay
        case (.size, .create): nil
        case (.size, _), (.digest, _): .giveCommandAgain
        case (.timeout, _), (.fileIO, _), (.internal, _): .tryLater
        default: nil
        }
    }

    private static func blocked(_ info: BlockingInfo) -> String {
        let reason = info.reason == .spam ? "as spam" : "for its content"
        return "the relay operator blocked the file \(reason). It is no longer available there."
    }
}
