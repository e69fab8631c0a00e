import CValisePlatform
import Synchronization
import SystemPackage
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The program that shows long results on a terminal page by page: that of `PAGER`, or `less`.
///
/// It takes text as its user turns pages. What it does not take yet is kept here, up to a limit, so that an account is not
/// held open for as long as somebody reads (decision 0061).
final class Pager: Sendable {
    private struct Waiting {
        var bytes: [UInt8] = []
        /// How many of them the pager has.
        var sent = 0

        var count: Int { bytes.count - sent }
    }

    /// Some hundred thousand messages. Beyond it, whoever writes waits for the reader.
    private static let mostWaiting = 32 << 20

    private let command: String
    private let input: FileDescriptor
    private let process: ChildProcess
    private let waiting = Mutex(Waiting())
    private static let showing = Atomic(false)

    /// Whether the terminal is a pager's: progress would be drawn into its pages.
    static var isShowing: Bool { showing.load(ordering: .relaxed) }

    /// Starts it. Until it has ended, Control-C is for it alone.
    /// - Parameter command: a command line for the shell.
    /// - Throws: ``PagerError``
    init(_ command: String) throws(PagerError) {
        self.command = command
        // Before it begins, as it may be interrupted at once; it gets the usual signals itself.
        valise_leave_interrupts(true)
        do throws(Errno) {
            (process, input) = try Self.start(command)
        } catch {
            valise_leave_interrupts(false)
            throw PagerError("cannot start the pager '\(command)': \(FileError.reason(error))")
        }
        _ = fcntl(input.rawValue, F_SETFL, fcntl(input.rawValue, F_GETFL) | O_NONBLOCK)
        Self.showing.store(true, ordering: .relaxed)
    }

    private static func start(_ command: String) throws(Errno) -> (ChildProcess, FileDescriptor) {
        // `F`: what fits on one screen is printed; `R`: colors; `X`: what was read stays on the screen.
        var variables = ["LESSHISTFILE": "-"]
        for (name, value) in [("LESS", "FRX"), ("LV", "-c")]
        where TerminalSetup.current.variable(name) == nil {
            variables[name] = value
        }
        let (reading, writing) = try ChildProcess.pipe()
        defer { try? reading.close() }
        do throws(Errno) {
            let process = try ChildProcess(
                "/bin/sh", ["-c", command], streams: (.descriptor(reading), .inherited, .inherited),
                variables: variables)
            return (process, writing)
        } catch {
            try? writing.close()
            throw error
        }
    }

    /// - Throws: `ReaderGone` where the pager has ended; `Errno`.
    func write(_ bytes: [UInt8]) throws {
        try waiting.withLock { waiting in
            waiting.bytes.append(contentsOf: bytes)
            try send(&waiting) { $0.count <= Self.mostWaiting }
        }
    }

    /// Gives it the rest, and waits until its user has seen enough.
    /// - Throws: ``PagerError`` where it could not be run.
    func finish() throws(PagerError) {
        // Who has left it wants no more. A signal other than Control-C ends the program: what was written is enough.
        try? waiting.withLock { try send(&$0) { $0.count == 0 || valise_interrupted() } }
        try? input.close()
        let status = process.wait()
        Self.showing.store(false, ordering: .relaxed)
        valise_leave_interrupts(false)
        // What the shell says of a program that is not there, or cannot be run.
        if let status, [126, 127].contains(status) {
            throw PagerError("cannot run the pager '\(command)'")
        }
    }

    private func send(_ waiting: inout Waiting, until isEnough: (Waiting) -> Bool) throws {
        while waiting.count > 0 {
            do {
                waiting.sent += try unsafe waiting.bytes.withUnsafeBytes { bytes in
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[waiting.sent...])
                    return try unsafe input.write(rest)
                }
                if waiting.count == 0 { waiting = Waiting() }
            } catch Errno.resourceTemporarilyUnavailable {
                if isEnough(waiting) { break }
                var ready = pollfd(fd: input.rawValue, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&ready, 1, 200)
            } catch Errno.brokenPipe {
                throw ReaderGone()
            }
        }
        // What was sent is dropped now and then, not each time: the rest would be moved as often.
        if waiting.sent > Self.mostWaiting {
            waiting.bytes.removeFirst(waiting.sent)
            waiting.sent = 0
        }
    }
}
