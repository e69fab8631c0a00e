import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseMediaRules
package import ValiseXFTPWire

/// What happens during a transfer beside its progress. Notes on several chunks come in any order.
package enum TransferNote: OperationNote {
    /// An earlier run had done so many chunks, which are not transferred again.
    case resumed(chunks: Int, of: Int)
    /// What an earlier run had sent is of no use any more; unless its links may be out, it was removed from the relays.
    case restarted(RestartReason)
    /// A relay was used with success for the first time, or for the first time since it was troubled.
    case connected(XFTPAddress)
    /// A relay could not be used; another one or another try follows.
    case troubled(XFTPAddress, any Error)
    /// A chunk is tried again after a pause.
    case retry(chunk: Int, attempt: Int, after: Duration)
    /// The name that a received file has, before its content is there.
    case named(String)
    case warning(TransferWarning)

    package var text: String {
        switch self {
        case .resumed(let chunks, let all):
            "resuming: \(chunks) of \(Count.text(all, "chunk")) already transferred"
        case .restarted(.sourceChanged): "sending the file from the start: it changed since the last run"
        case .restarted(.tooOld): "sending the file from the start: the last run was too long ago"
        case .restarted(.otherRelays): "sending the file from the start: the last run used other relays"
        case .connected(let relay): "connected to \(relay.text)"
        case .troubled(let relay, let error): "\(relay.text): \(error.sentence)"
        case .retry(let chunk, let attempt, _): "retrying chunk \(chunk), attempt \(attempt)"
        case .named(let name): "file name: \(name)"
        case .warning(let warning): warning.text
        }
    }
}

/// Why a transfer began anew.
package enum RestartReason: String, Sendable {
    /// The source is not the file that it was.
    case sourceChanged
    /// Relays will not keep what was sent until the rest is there.
    case tooOld
    /// It is on relays that are not among those of this run.
    case otherRelays
}

/// What the caller should know although nothing failed.
package enum TransferWarning: Sendable, Equatable {
    /// Chats of the official app take files up to 1 GiB; by link they may be larger. In bytes.
    case largeFile(size: Int64)
    /// The file is larger than one description may name and was divided.
    case divided(parts: Int)
    /// Chunks that are of no use could not be removed from their relays; they expire there.
    case leftBehind(chunks: Int)
    /// Some chunks could not be acknowledged; they stay on their relays until they expire.
    case notAcknowledged(chunks: Int)
    /// The download failed, and what was received is kept in this folder for the next run; or for some days, as
    /// ``TransferSettings/downloadLifetime`` says.
    case kept(folder: String)
    /// An earlier run had begun to receive this file in the other form, unencrypted or encrypted where it lies; what it
    /// received is of no use here and stays in this folder, as long as what is ``kept(folder:)``.
    case otherForm(folder: String)
    /// What was received is one part of a divided file; the others belong to it.
    case onePart(number: Int, of: Int)
}

extension TransferWarning {
    /// Begins in lower case, as the message of a failure does.
    package var text: String {
        switch self {
        case .largeFile(let size):
            "the file is \(Count.bytes(size)); the official apps receive files larger than "
                + "\(Count.bytes(MediaLimits.xftpInChat)) only by link"
        case .divided(let parts):
            "the file is too large for one link; it has \(Count.text(parts, "part")), and all "
                + "of their links are needed"
        case .leftBehind(let chunks):
            "\(Count.text(chunks, "chunk")) could not be removed from the relays and will expire there"
        case .notAcknowledged(let chunks):
            "\(Count.text(chunks, "chunk")) could not be acknowledged and will expire on the relays"
        case .kept(let folder):
            "received data is kept in \(folder). The same operation resumes it."
        case .otherForm(let folder):
            "cannot resume from \(folder): an earlier run stored the file with the opposite encryption setting. "
                + "The folder is kept."
        case .onePart(let number, let all):
            "this is part \(number) of \(all) of a larger file"
        }
    }
}
