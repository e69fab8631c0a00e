import Synchronization
package import ValiseXFTPWire

/// One connection for each relay, made when it is first needed, made again when it was lost, and closed when nobody used
/// it for a while. ``close()`` has to be called in the end.
package final class RelayPool: Sendable {
    /// What a relay's connection is at the moment. Attempts to make one are in line, so that there is one at a time.
    fileprivate final class Place: Sendable {
        struct State {
            var connection: RelayConnection?
            /// How often it was tried, and how that ended.
            var attempts = 0
            var failure: (any Error)?
            /// Whether there ever was one.
            var wasUp = false
            /// Whether its uploads waited for each other: then they are made one at a time.
            var uploadsOneByOne = false
        }
        let turn = StreamSlots(1)
        let state = Mutex(State())
    }

    private struct State {
        var places: [XFTPAddress: Place] = [:]
        var isClosed = false
    }

    private let options: RelayConnectionOptions
    private let state = Mutex(State())
    private let lanes = TransferLanes()

    /// - Parameter options: without an idle time, it is 60 seconds.
    package init(_ options: RelayConnectionOptions = RelayConnectionOptions()) {
        var options = options
        options.idleTime = options.idleTime ?? .seconds(60)
        self.options = options
    }

    /// Runs `body` with a connection to a relay, which it shares with others and must not close.
    ///
    /// - Parameters:
    ///   - address: of the relay.
    ///   - body: makes one request. It is run again with another connection where its own took none any more:
    ///     others may have ended that, such as by an upload that was refused. And it is run again after a pause where the
    ///     relay had no space for it, as ``RelayConnectionOptions/busyRetries`` says.
    /// Uploads that waited for each other are made again too, one at a time.
    /// - Throws: ``XFTPClientError``; `CancellationError`; what `body` throws.
    package func withConnection<Result>(
        to address: XFTPAddress, _ body: (RelayConnection) async throws -> Result
    ) async throws -> Result {
        var (retired, stalls) = (0, 0)
        var pauses = options.busyRetries.pauses.makeIterator()
        while true {
            do {
                return try await body(connection(to: address))
            } catch let error as XFTPClientError where error.isUnsent && !isClosed {
                retired += 1
                if retired == Self.mostConnections { throw error }
            } catch let error as XFTPClientError where error.kind == .stalled && !isClosed {
                stalls += 1
                try place(of: address).state.withLock { $0.uploadsOneByOne = true }
                if stalls == Self.mostStalls { throw error }
            } catch let error as XFTPClientError where error.kind == .busy && !isClosed {
                guard let pause = pauses.next() else { throw error }
                try await Task.sleep(for: pause)
            }
        }
    }

    /// The same for a request with which a chunk travels. After one that was too slow, fewer of them are under way at a
    /// time.
    /// - Throws: as ``withConnection(to:_:)``.
    package func withTransfer<Result>(
        to address: XFTPAddress, _ body: (RelayConnection) async throws -> Result
    ) async throws -> Result {
        try await lanes.withLane { isTooSlow in
            try await withConnection(to: address) { connection in
                do {
                    return try await body(connection)
                } catch let error as XFTPClientError where error.kind.isOfSlowLine {
                    isTooSlow()
                    throw error
                }
            }
        }
    }

    /// How many connections one request may find retired.
    private static let mostConnections = 16
    /// How often one request may be made again at once after uploads stood still.
    private static let mostStalls = 3

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    /// A connection that takes requests. It may stop to do so at any time; then ask again.
    /// - Throws: ``XFTPClientError``; `CancellationError`.
    package func connection(to address: XFTPAddress) async throws -> RelayConnection {
        let place = try place(of: address)
        let (usable, attempts) = place.state.withLock { ($0.usableConnection, $0.attempts) }
        if let usable { return usable }
        return try await place.turn.withSlot {
            let (usable, failure) = place.state.withLock { state in
                (state.usableConnection, state.attempts > attempts ? state.failure : nil)
            }
            if let usable { return usable }
            // Who waited for an attempt that failed does not make the next one in line.
            if let failure { throw failure }
            return try await connect(to: address, place)
        }
    }

    private func connect(to address: XFTPAddress, _ place: Place) async throws -> RelayConnection {
        do {
            var options = options
            if place.state.withLock({ $0.uploadsOneByOne }) { options.parallelUploads = 1 }
            let connection = try await RelayConnection.connect(to: address, options)
            place.state.withLock { $0.note(connection) }
            // The pool may have been closed meanwhile, without this connection.
            guard !isClosed else {
                await connection.close()
                throw XFTPClientError.retired(relay: address.relayName)
            }
            return connection
        } catch {
            if error is CancellationError { throw error }
            throw place.state.withLock { $0.note(error) }
        }
    }

    private func place(of address: XFTPAddress) throws -> Place {
        try state.withLock { state in
            guard !state.isClosed else { throw XFTPClientError.retired(relay: address.relayName) }
            if let place = state.places[address] { return place }
            let place = Place()
            state.places[address] = place
            return place
        }
    }

    /// Closes all connections and makes no more. Requests under way fail.
    package func close() async {
        let places = state.withLock { state in
            state.isClosed = true
            defer { state.places = [:] }
            return state.places.values
        }
        for place in places { await place.state.withLock { $0.connection }?.close() }
    }
}

extension RelayPool.Place.State {
    fileprivate var usableConnection: RelayConnection? {
        connection.flatMap { $0.isUsable ? $0 : nil }
    }

    fileprivate mutating func note(_ connection: RelayConnection) {
        self.connection = connection
        wasUp = true
        failure = nil
        attempts += 1
    }

    /// - Returns: what the failure means for a relay that was up before, or never was.
    fileprivate mutating func note(_ error: any Error) -> any Error {
        var error = error
        if let refusal = error as? XFTPClientError, refusal.kind == .connectionRefused, wasUp {
            error = refusal.ofRelayThatWasUp
        }
        failure = error
        attempts += 1
        return error
    }
}
