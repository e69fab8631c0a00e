import Synchronization

@testable import Valise

/// Answers every question alike, and keeps what it was asked.
final class RecordedAnswers: Questions {
    private let questions = Mutex<[Question]>([])
    private let reply: Bool?

    /// - Parameter reply: nil where nobody can be asked.
    init(_ reply: Bool?) { self.reply = reply }

    var asked: [Question] { questions.withLock { $0 } }

    func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? { nil }

    func answer(_ question: Question) async throws -> Bool? {
        questions.withLock { $0.append(question) }
        return reply
    }
}
