package import ValiseFailures

/// Why none of several relays took a file: each reason once, after the relays that gave it.
package struct RelayFailures: Failure {
    /// The one that decides when another try has a chance.
    package let worst: any Error
    package let message: String

    package var code: FailureCode { (worst as? any Failure)?.code ?? .failed }
    package var subject: String? { nil }
    package var cause: (any Error)? { nil }
    package var remedy: Remedy? { (worst as? any Failure)?.remedy }

    init(_ failures: [any Failure], worst: any Error) {
        self.worst = worst
        var reasons: [(text: String, relays: [String])] = []
        for failure in failures {
            // What was not sent to one relay is said of all of them.
            let text = failure.message.split(separator: ". ", maxSplits: 1).first.map(String.init) ?? ""
            let relays = failure.subject.map { [$0] } ?? []
            if let known = reasons.firstIndex(where: { $0.text == text }) {
                reasons[known].relays += relays.filter { !reasons[known].relays.contains($0) }
            } else {
                reasons.append((text: text, relays: relays))
            }
        }
        message = reasons.map { reason in
            reason.relays.isEmpty ? reason.text : "\(reason.relays.joined(separator: ", ")): \(reason.text)"
        }.joined(separator: "; ")
    }
}

extension FileTransferError {
    /// Of a file that no relay knows anything of.
    ///
    /// - Parameter failures: of the relays, one of each.
    func ofNothingSent(_ failures: [any Error]) -> Self {
        let told = failures.compactMap { $0 as? any Failure }
        guard let only = told.first, told.count == 1 else {
            return Self(
                .relays, code, "no relay accepts the file. Nothing was sent.",
                cause: told.isEmpty ? cause : RelayFailures(told, worst: cause ?? self))
        }
        let saysSo = only.message.contains("Nothing was ")
        return Self(
            .relays, code, saysSo ? only.message : [only.message, "Nothing was sent."].asSentences,
            subject: only.subject, cause: only, remedy: only.remedy)
    }
}
