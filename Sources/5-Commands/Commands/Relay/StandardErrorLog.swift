import ArgumentParser
import Logging
import Valise
import ValiseEncoding

/// The format of log lines.
enum LogFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// For people and for the journal.
    case text
    /// One object per line.
    case json
}

/// Writes log lines to standard error, unbuffered.
struct StandardErrorLog: LogHandler {
    let format: LogFormat
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    init(format: LogFormat, logLevel: Logger.Level) {
        self.format = format
        self.logLevel = logLevel
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues(\.description)
        StandardStreams.printError(line(event.level, event.message.description, fields))
    }

    private func line(_ level: Logger.Level, _ message: String, _ fields: [String: String]) -> String {
        let now = UTCTime.now.isoText
        switch format {
        case .text:
            let rest = fields.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
            return "\(now) \(level.rawValue): \(message)\(rest)".withoutControls
        case .json:
            let entry = Entry(time: now, level: level.rawValue, message: message, fields: fields)
            return (try? JSONText.encode(entry)) ?? #"{"message":"a line that is not valid JSON"}"#
        }
    }

    private struct Entry: Encodable {
        let time: String
        let level: String
        let message: String
        let fields: [String: String]
    }
}
