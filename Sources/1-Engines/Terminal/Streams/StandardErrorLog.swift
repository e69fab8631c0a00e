package import Logging
import ValiseEncoding
import ValiseFailures

/// Writes log lines to standard error, unbuffered: text for people and for the journal, or one JSON object per line.
package struct StandardErrorLog: LogHandler {
    private let isJSON: Bool
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]

    package init(isJSON: Bool, logLevel: Logger.Level) {
        self.isJSON = isJSON
        self.logLevel = logLevel
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues(\.description)
        StandardStreams.printError(line(event.level, event.message.description, fields))
    }

    private func line(_ level: Logger.Level, _ message: String, _ fields: [String: String]) -> String {
        let now = UTCTime.now.isoText
        guard isJSON else {
            let rest = fields.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
            return "\(now) \(level.rawValue): \(message)\(rest)".replacingControls { _ in "?" }
        }
        let entry = Entry(time: now, level: level.rawValue, message: message, fields: fields)
        return (try? JSONText.encode(entry)) ?? #"{"message":"a line that is not valid JSON"}"#
    }

    private struct Entry: Encodable {
        let time: String
        let level: String
        let message: String
        let fields: [String: String]
    }
}
