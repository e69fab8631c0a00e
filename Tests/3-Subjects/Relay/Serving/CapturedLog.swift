import Logging
import Synchronization

/// Keeps the lines of a log.
struct CapturedLog: LogHandler {
    final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func append(_ line: String) { lines.withLock { $0.append(line) } }
    }

    let lines: Lines
    var logLevel = Logger.Level.error
    var metadata: Logger.Metadata = [:]

    init(_ lines: Lines, level: Logger.Level = .error) {
        self.lines = lines
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.append("\(event.message) \(metadata) \(event.metadata ?? [:])") }
}
