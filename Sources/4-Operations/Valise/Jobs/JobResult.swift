import ValiseEncoding
package import ValiseJobQueue

/// What a job has to say when it is done; kept with it.
package struct JobResult: Sendable, Codable {
    /// The JSON document of the operation's report.
    package let json: String
    /// The same in words.
    package let text: String
    /// Whether single entries failed.
    package var hasEntryErrors = false
    /// How a change ended that was looked after instead of done; nil for what was done.
    package var ending: JobEnding?

    init(_ report: some OperationReport, _ wording: any JobWording, ending: JobEnding? = nil) throws {
        json = try JSONText.encode(report, remedies: wording.remedies)
        text = wording.text(report)
        hasEntryErrors = report.hasEntryErrors
        self.ending = ending
    }
}

extension Job {
    /// What the operation said when it was done.
    package var operationResult: JobResult? {
        result.flatMap { try? JSONText.decode(JobResult.self, from: $0) }
    }
}

/// The report of an operation that had come to its end when its job was resumed: more is not known any longer.
package struct AlreadyDone: OperationReport {
    package let type: String
    package let wasDone = true
    /// A sentence.
    package let sentence: String

    /// - Parameter type: of the document that the operation itself would have made.
    init(_ type: String, _ sentence: String) {
        self.type = type
        self.sentence = sentence
    }

    private enum CodingKeys: CodingKey { case type, wasDone }
}
