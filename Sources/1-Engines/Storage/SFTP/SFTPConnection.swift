import Synchronization
import SystemPackage
import ValiseConcurrency
import ValiseFailures
import ValiseFiles

/// A program that leads to an SFTP server, and the requests that it has not answered yet.
///
/// Any number of threads send requests, each any number before it waits for the answers. A thread of the connection's own reads
/// all the time, so that the server never waits for us while we wait for it; it alone waits for the program's end and signals it.
final class SFTPConnection: Sendable {
    private struct State {
        var nextID: UInt32 = 0
        var unanswered: [UInt32: SFTPReply] = [:]
        var greeting: SFTPGreeting?
        /// Why there are no answers any more.
        var failure: StorageError?
        /// Whether the program is not read from any more.
        var isOver = false
        /// Why the program is to be ended.
        var reasonToEnd: StorageError?
        /// When it is ended by a signal.
        var deadline: ContinuousClock.Instant?
        /// When something arrived.
        var lastNews = ContinuousClock.now
    }

    let location: String
    private let state = Mutex(State())
    /// The program's standard input; nil once that is closed.
    private let input: Mutex<FileDescriptor?>
    private let program: String
    private let messages: SFTPMessages
    /// Opens when no answer can come any more.
    private let hasEnded = Gate()
    private let greeted = Gate()
    private let patience: Duration
    private let checkpoint: @Sendable () throws -> Void

    /// How long a program may take to end by itself.
    private static let endingTime = Duration.seconds(3)
    private static let interval = Duration.milliseconds(100)

    /// Starts the program, and waits until the server greets.
    ///
    /// - Parameters:
    ///   - command: the program.
    ///   - location: how messages name the server.
    ///   - patience: how long a server that has been asked may be silent.
    ///   - checkpoint: is asked often while it is waited; throw to stop.
    /// - Throws: ``StorageError``; whatever `checkpoint` throws.
    init(
        _ command: SFTPCommand, location: String, patience: Duration,
        checkpoint: @escaping @Sendable () throws -> Void
    ) throws {
        self.location = location
        self.patience = patience
        self.checkpoint = checkpoint
        program = FilePath(command.program).lastComponent?.string ?? command.program
        let started = try Self.start(command)
        let (child, output) = (started.child, started.output)
        input = Mutex(started.input)
        messages = SFTPMessages(from: started.errors)
        WorkerThread.start {
            self.receive(from: output, of: child)
            self.hasEnded.signal()
        }
        do {
            _ = try write(SFTPRequest.greeting, checkpoint)
            try waitForGreeting()
        } catch {
            close()
            throw error
        }
    }

    /// What the server has beside the protocol.
    var extensions: Set<SFTPExtension> { state.withLock { $0.greeting?.extensions ?? [] } }

    /// Whether it cannot be used any more.
    var isLost: Bool { state.withLock { $0.failure != nil || $0.reasonToEnd != nil } }

    // MARK: Requests

    /// Sends a request. Whoever wants the answer waits for it later.
    ///
    /// - Parameter checkpoint: in the place of the connection's own.
    /// - Throws: ``StorageError``; whatever the checkpoint throws.
    func send(_ request: SFTPRequest, _ checkpoint: (() throws -> Void)? = nil) throws -> SFTPReply {
        let reply = SFTPReply()
        let id = try state.withLock { state throws(StorageError) in
            if let failure = state.failure ?? state.reasonToEnd { throw failure }
            while state.unanswered[state.nextID] != nil { state.nextID &+= 1 }
            defer { state.nextID &+= 1 }
            if state.unanswered.isEmpty { state.lastNews = .now }
            state.unanswered[state.nextID] = reply
            return state.nextID
        }
        do {
            try write(request.encoded(id), checkpoint ?? self.checkpoint)
        } catch {
            state.withLock { _ = $0.unanswered.removeValue(forKey: id) }
            throw error
        }
        return reply
    }

    /// Sends a request whose answer nobody needs. A server that takes nothing for a while does not get it.
    func post(_ request: SFTPRequest) {
        let deadline = ContinuousClock.now + .seconds(1)
        _ = try? send(request) { if .now > deadline { throw Interruption() } }
    }

    /// - Throws: ``StorageError``, also where the connection is lost; ``SFTPStatus`` for a request that failed; whatever the
    ///   checkpoint throws.
    func answer(to reply: SFTPReply) throws -> SFTPResponse {
        while true {
            if let result = reply.result(within: Self.interval) {
                let response = try result.get()
                if case .status(let status) = response, status.code != 0 { throw status }
                return response
            }
            try checkpoint()
            try checkSilence()
        }
    }

    private func checkSilence() throws(StorageError) {
        try state.withLock { state throws(StorageError) in
            guard state.reasonToEnd == nil, .now - state.lastNews > patience else { return }
            let error = StorageError(
                .unreachable, .failed, "the server does not answer", location, remedy: .tryLater)
            state.reasonToEnd = error
            throw error
        }
    }

    /// Ends the connection after an answer that does not follow the protocol, or because of another failure.
    /// - Returns: the same failure, told of this server.
    func giveUp(_ error: StorageError) -> StorageError {
        let error = StorageError(
            error.kind, error.code, error.message, location, cause: error.cause, remedy: error.remedy)
        return state.withLock { state in
            if state.reasonToEnd == nil { state.reasonToEnd = error }
            return error
        }
    }

    /// Lets the program end, and waits for that.
    func close() {
        state.withLock { $0.deadline = $0.deadline ?? .now + Self.endingTime }
        closeInput()
        hasEnded.wait()
        // For others that wait.
        hasEnded.signal()
    }

    // MARK: Writing

    private func write(_ packet: [UInt8], _ checkpoint: () throws -> Void) throws {
        try input.withLock { input in
            // The same as with ``Enough`` below.
            guard let descriptor = input else { return }
            var position = 0
            do {
                while position < packet.count {
                    position += try unsafe packet[position...].withUnsafeBytes {
                        try unsafe descriptor.write($0) {
                            try checkpoint()
                            // One that takes nothing any more answers nothing either.
                            try checkSilence()
                            if isOver { throw Enough() }
                        }
                    }
                }
            } catch is Enough {
                // The reason is known to whoever waits for the answer, or about to be.
            } catch is Errno {
                // Nobody reads any more. Soon that is noticed at the other pipe, too.
                state.withLock { $0.deadline = $0.deadline ?? .now + Self.endingTime }
            } catch {
                // What has a part of a request takes no other one.
                if position > 0 {
                    _ = giveUp(
                        StorageError(.unreachable, .failed, "the connection was ended within a request"))
                }
                throw error
            }
        }
    }

    /// Whether nothing is read from the program any more, or will not be.
    private var isOver: Bool {
        state.withLock { $0.isOver || $0.failure != nil || $0.reasonToEnd != nil }
    }

    private func closeInput() {
        input.withLock { input in
            try? input?.close()
            input = nil
        }
    }

    private func waitForGreeting() throws {
        while !greeted.wait(atMost: Self.interval) {
            try checkpoint()
            try checkSilence()
        }
        try state.withLock { state throws(StorageError) in
            if state.greeting == nil, let failure = state.failure { throw failure }
        }
    }

    // MARK: Reading

    /// Nothing comes any more, or nobody wants it.
    private struct Enough: Error {}

    private func receive(from output: FileDescriptor, of child: ChildProcess) {
        var ending: ChildProcess.Ending?
        var reason: StorageError?
        var isToEnd = true
        do {
            try readPackets(output) {
                if ending == nil { ending = child.ending() }
                return ending != nil
            }
            isToEnd = false
        } catch let error as StorageError {
            reason = giveUp(error)
        } catch {}
        state.withLock { $0.isOver = true }
        if isToEnd, ending == nil { child.end() }
        // Whoever closes its output usually has ended, or ends with its input.
        if ending == nil { ending = child.ending(within: .milliseconds(200)) }
        closeInput()
        let last = ending ?? child.ended(within: Self.endingTime)
        let said = messages.end()
        try? output.close()
        fail(reason ?? state.withLock { $0.reasonToEnd } ?? lost(last, said))
    }

    /// - Parameter said: what the program wrote to its standard error.
    private func lost(_ ending: ChildProcess.Ending, _ said: String) -> StorageError {
        let end =
            switch ending {
            case .status(let status): "\(program) ended with exit status \(status)"
            case .signal(let signal): "\(program) was ended by signal \(signal)"
            }
        let isNew = state.withLock { $0.greeting == nil }
        if isNew, let refusal = SSHRefusal(said) { return refusal.failure(location) }
        return StorageError(
            .unreachable, .failed,
            (isNew ? "cannot connect to the server: " : "the connection to the server was lost: ") + end,
            location,
            remedy: .tryLater)
    }

    private func fail(_ error: StorageError) {
        let unanswered = state.withLock { state in
            state.failure = error
            defer { state.unanswered = [:] }
            return state.unanswered.values
        }
        for reply in unanswered { reply.keep(.failure(error)) }
        greeted.signal()
    }

    /// - Parameter hasEnded: whether the program has.
    private func readPackets(_ output: FileDescriptor, _ hasEnded: () -> Bool) throws {
        var frames = SFTPFrames()
        var buffer = [UInt8](repeating: 0, count: 128 << 10)
        var isLast = false
        while true {
            var waits = 0
            let count = try unsafe buffer.withUnsafeMutableBytes { memory in
                try unsafe output.read(into: memory) {
                    // Not while something arrives; what has ended may have left more than one piece.
                    waits += 1
                    if waits > 1, isLast { throw Enough() }
                    if waits > 1, hasEnded() { isLast = true }
                    let (reason, deadline) = state.withLock { ($0.reasonToEnd, $0.deadline) }
                    if let reason { throw reason }
                    if let deadline, deadline < .now { throw Enough() }
                }
            }
            guard count > 0 else { return }
            frames.append(buffer[..<count])
            state.withLock { $0.lastNews = .now }
            while let packet = try frames.next() { try deliver(packet) }
        }
    }

    private func deliver(_ packet: ArraySlice<UInt8>) throws(StorageError) {
        guard state.withLock({ $0.greeting != nil }) else {
            let greeting = try SFTPGreeting(packet)
            state.withLock { $0.greeting = greeting }
            return greeted.signal()
        }
        let (id, response) = try SFTPResponse.read(packet)
        guard let reply = state.withLock({ $0.unanswered.removeValue(forKey: id) }) else {
            throw .invalidAnswer("belongs to no request")
        }
        reply.keep(.success(response))
    }
}
