import ArgumentParser
import CValisePlatform
import Synchronization
import Valise
import ValiseEncoding
import ValiseTerminal

/// Whether the command waits for an account that is in use.
enum WaitChoice: Sendable {
    case refused
    /// Nil for as long as it takes.
    case waiting(atMost: Duration?)

    /// Nil where the command has no such option.
    private static let chosen = Mutex<WaitChoice?>(nil)

    static var isOffered: Bool { chosen.withLock { if case .refused? = $0 { true } else { false } } }

    static func choose(_ choice: WaitChoice) { chosen.withLock { $0 = choice } }

    /// For the task of an operation.
    static func waiting(_ show: @escaping @Sendable (OperationProgress) -> Void) -> AccountWaiting? {
        guard case .waiting(let limit)? = chosen.withLock({ $0 }) else { return nil }
        return AccountWaiting(atMost: limit) { holder in
            show(OperationProgress("waiting: in use by \(holder)"))
            if valise_interrupted() { throw Interruption() }
        }
    }

    static let option = OptionalValue("--wait", full: "--wait-at-most", value: "DURATION", example: "5m")
}

/// Such as `30s`, `5m`, `2h`.
struct DurationArgument: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        guard let seconds = TimeSpan.decode(argument, in: "smh") else { return nil }
        duration = .seconds(seconds)
    }
}
