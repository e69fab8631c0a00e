import CValiseSQLCipher
import ValiseFailures

extension Connection {
    /// Runs `work`, and lets `look` stop SQLite in the middle of a long statement.
    ///
    /// - Parameters:
    ///   - look: called first, then about every 20,000 steps of SQLite's machine, some hundred times a second; throw to
    ///     stop. It must not use this connection.
    ///   - work: what runs on this connection.
    /// - Throws: what `look` threw, where it stopped the work; else whatever `work` throws.
    package borrowing func supervised<Result>(
        by look: () throws -> Void, _ work: () throws -> Result
    ) throws -> Result {
        let handle = unsafe handle
        try look()
        return try withoutActuallyEscaping(look) { look in
            let supervisor = Supervisor(look)
            unsafe sqlite3_progress_handler(
                handle, 20_000, Supervisor.callback, Unmanaged.passUnretained(supervisor).toOpaque())
            defer {
                unsafe sqlite3_progress_handler(handle, 0, nil, nil)
                supervisor.forget()
            }
            do {
                return try work()
            } catch {
                throw supervisor.failure ?? error
            }
        }
    }
}

/// What SQLite's progress handler calls.
private final class Supervisor {
    private var look: (() throws -> Void)?
    /// What stopped the work.
    private(set) var failure: (any Error)?

    init(_ look: @escaping () throws -> Void) {
        self.look = look
    }

    /// The closure must not be kept longer than the call that lent it.
    func forget() { look = nil }

    private func shouldStop() -> Bool {
        do {
            try look?()
            return false
        } catch {
            failure = error
            return true
        }
    }

    static let callback: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<Supervisor>.fromOpaque(context).takeUnretainedValue().shouldStop() ? 1 : 0
    }
}
