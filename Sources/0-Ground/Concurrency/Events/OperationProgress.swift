/// The progress of an operation.
///
/// A small value: creating one allocates nothing if the activity is an existing string, so it can be created for every
/// batch of bytes.
public struct OperationProgress: Sendable, Equatable {
    /// What is counted.
    public enum Unit: Sendable {
        /// Bytes, shown with their prefixes.
        case bytes
        /// Files, rows, messages: whatever the activity is about.
        case items
    }

    /// The phase: what is being done, such as `copying the chat database`.
    public var activity: String
    /// How much is done.
    public var completed: Int64
    /// Of how much; nil where that is not known.
    public var total: Int64?
    /// What ``completed`` and ``total`` count.
    public var unit: Unit
    /// Units a second, by what was done in the last seconds; nil where it is not measured, or not yet.
    public var rate: Double?
    /// The ``activity`` without the name of a file, for who does not want to hear each; nil where it has none.
    package var unnamed: String?

    /// - Parameters:
    ///   - activity: the phase, such as `copying the chat database`.
    ///   - completed: how much is done.
    ///   - total: how much there is to do; nil where that is not known.
    ///   - unit: what is counted.
    ///   - rate: how much is done in a second; nil where that is not known.
    public init(
        _ activity: String, completed: Int64 = 0, total: Int64? = nil, unit: Unit = .bytes,
        rate: Double? = nil
    ) {
        self.activity = activity
        self.completed = completed
        self.total = total
        self.unit = unit
        self.rate = rate
    }

    /// The progress of an operation on many files, at one of them.
    package static func entry(_ name: String, completed: Int64, total: Int64?) -> OperationProgress {
        var progress = OperationProgress(name, completed: completed, total: total)
        progress.unnamed = ""
        return progress
    }

    /// The progress of an operation on one file.
    /// - Parameter doing: such as `encrypting`.
    package static func file(
        _ name: String, _ doing: String, completed: Int64, total: Int64? = nil
    ) -> OperationProgress {
        var progress = OperationProgress("\(doing) \(name)", completed: completed, total: total)
        progress.unnamed = doing
        return progress
    }

    /// From 0 to 100; nil where the end is not known.
    public var percent: Int? {
        guard let total, total > 0 else { return nil }
        return Int(min(100, Double(completed) / Double(total) * 100))
    }

    /// How many seconds the rest takes at this ``rate``; nil where either is not known.
    public var secondsLeft: Double? {
        guard let total, let rate, rate > 0 else { return nil }
        return Double(max(0, total - completed)) / rate
    }
}

/// Sees the progress of an operation, on the thread that does it; throws to stop it. Usually `Interruption`.
public typealias ProgressHandler = (OperationProgress) throws -> Void
