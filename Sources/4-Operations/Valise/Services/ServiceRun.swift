import Logging
import ServiceLifecycle
import Synchronization
import ValiseConcurrency

/// Runs services for as long as some work needs them.
///
/// When the work has ended, or the task is cancelled, all of them are shut down gracefully: the work first, then the services
/// from the last to the first, each when the one before has ended. Signals of the system are the program's, which cancels the
/// task (decision 48).
enum ServiceRun {
    /// - Parameters:
    ///   - services: end when they are shut down, and not before.
    ///   - work: its task is cancelled when the caller's is.
    /// - Throws: what the work throws.
    static func run<Value: Sendable>(
        _ services: [any Service] = [], while work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let stop = StopSignal()
        let main = WorkService(work)
        let group = ServiceGroup(configuration: configuration(services + [main, StopWatch(stop: stop)]))
        try await withTaskCancellationHandler {
            // In a task of its own: a group that is cancelled cancels its services where they are.
            try await Task { try await group.run() }.value
        } onCancel: {
            stop.set()
        }
        return try main.value()
    }

    private static func configuration(_ services: [any Service]) -> ServiceGroupConfiguration {
        let services = services.map {
            ServiceGroupConfiguration.ServiceConfiguration(
                service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .gracefullyShutdownGroup)
        }
        return ServiceGroupConfiguration(
            services: services, logger: Logger(label: "services") { _ in SwiftLogNoOpLogHandler() })
    }
}

/// Does something when its group is shut down, such as to end what runs already.
struct ShutdownService: Service {
    let end: @Sendable () async -> Void

    init(_ end: @escaping @Sendable () async -> Void) { self.end = end }

    func run() async {
        try? await gracefulShutdown()
        await end()
    }
}

/// Does something again and again until its group is shut down, which cancels its task.
struct LoopService: Service {
    let loop: @Sendable () async -> Void

    init(_ loop: @escaping @Sendable () async -> Void) { self.loop = loop }

    func run() async { await cancelWhenGracefulShutdown { await loop() } }
}

/// The work that services run beside.
private final class WorkService<Value: Sendable>: Service {
    private let work: @Sendable () async throws -> Value
    private let result = Mutex<Result<Value, any Error>?>(nil)

    init(_ work: @escaping @Sendable () async throws -> Value) { self.work = work }

    func run() async {
        let ended: Result<Value, any Error>
        do {
            ended = .success(try await cancelWhenGracefulShutdown(work))
        } catch {
            ended = .failure(error)
        }
        result.withLock { $0 = ended }
    }

    /// - Throws: what the work threw.
    func value() throws -> Value {
        guard let result = result.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}

/// Ends, and its group with it, when somebody asks for that.
private struct StopWatch: Service {
    let stop: StopSignal

    func run() async { await cancelWhenGracefulShutdown { await stop.wait() } }
}
