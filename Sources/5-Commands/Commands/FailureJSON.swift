import Valise
import ValiseEncoding

/// A failure as one line of JSON.
///
/// A key store that failed has the name that the official apps have for it.
struct FailureJSON: Encodable {
    let type: String
    let code: String
    let message: String
    let subject: String?
    let exitStatus: Int32
    let remedy: RemedyJSON?

    init(_ failure: any Failure) { self.init(failure, ExitStatus(failure.code)) }

    init(_ failure: any Failure, _ status: ExitStatus) {
        let isStore = (failure as? KeyStorageError)?.isStoreFailure ?? false
        type = isStore ? "errorKeychain" : "error"
        code = failure.code.rawValue
        message = failure.text
        subject = failure.subject
        exitStatus = status.rawValue
        remedy = RemedyJSON(failure)
    }

    var text: String { (try? JSONText.encode(self)) ?? #"{"type":"error"}"# }
}
