import Failures
import JSONCoding

/// A failure as one line of JSON.
struct FailureJSON: Encodable {
    let type = "error"
    let code: String
    let message: String
    let subject: String?
    let exitStatus: Int32

    init(_ failure: any Failure, _ status: ExitStatus) {
        code = failure.code.rawValue
        message = failure.description
        subject = failure.subject
        exitStatus = status.rawValue
    }

    var text: String { (try? JSONText.encode(self)) ?? #"{"type":"error"}"# }
}
