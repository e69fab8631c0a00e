import ValiseAccounts
import ValiseConcurrency

/// A transfer that a job goes on with tells what happens to it.
struct ActListener: TransferListener {
    let context: ActContext

    /// A job that is to stop is cancelled as a task too.
    func show(_ progress: OperationProgress) { try? context.progress(progress) }

    func note(_ text: String) { context.note(text) }

    func note(trouble message: String, of subject: String) { context.note("\(subject): \(message)") }
}
