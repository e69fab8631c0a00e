import NIOCore
import Synchronization
import ValiseConcurrency

/// The connections that are open: how many there may be, who makes space for others, and who has to end when the relay
/// stops.
final class ConnectionRegistry: Sendable {
    private struct State {
        /// Those that may stay.
        var places: [ObjectIdentifier: ConnectionPlace] = [:]
        var perNetwork: [[UInt8]: Int] = [:]
        /// Those that are closing because others got their places.
        var leaving: [ObjectIdentifier: ConnectionPlace] = [:]
        var isStopping = false
        var whenEmpty: Promise<Void>?

        var all: [any Channel] { places.values.map(\.channel) + leaving.values.map(\.channel) }
    }

    /// Each has a descriptor beyond those that are counted for connections.
    private static let mostLeaving = 32
    /// The share of all connections, as its inverse, that may be in their handshakes before idle ones.
    private static let mostArriving = 4

    private let state = Mutex(State())
    private let limit: Int
    private let limitPerAddress: Int
    private let limitOfLoopback: Int
    private let patience: TimeAmount

    init(limits: RelayLimits) {
        limit = limits.connections
        limitPerAddress = limits.connectionsPerAddress
        limitOfLoopback = limits.connectionsOfLoopback
        patience = TimeAmount(limits.openingPatience)
    }

    /// Those that may stay.
    var count: Int { state.withLock { $0.places.count } }

    /// Gives a connection a place until it closes, or until another needs it more.
    ///
    /// Where all places are taken, a connection without a request is told to end: of those whose handshakes take too long
    /// the one that takes longest, else the one that is idle longest.
    ///
    /// - Parameters:
    ///   - channel: the connection.
    ///   - client: whose it is; nil for a proxy's, which has yet to say for whom (``identify(_:as:)``).
    /// - Returns: nil where there is no place.
    func admit(_ channel: any Channel, for client: ClientAddress?) -> ConnectionPlace? {
        let now = NIODeadline.now()
        let place = ConnectionPlace(channel, client: client, now: now)
        let (isAdmitted, leaver) = state.withLock { state -> (Bool, ConnectionPlace?) in
            guard !state.isStopping, hasSpace(for: client, state) else { return (false, nil) }
            var leaver: ConnectionPlace?
            if state.places.count >= limit {
                leaver = makeSpace(&state, now)
                if leaver == nil { return (false, nil) }
            }
            state.places[ObjectIdentifier(place)] = place
            Self.count(client, in: &state)
            return (true, leaver)
        }
        guard isAdmitted else { return nil }
        leaver?.channel.pipeline.fireUserInboundEventTriggered(PlaceIsNeeded())
        channel.closeFuture.whenComplete { [self] _ in forget(place) }
        return place
    }

    /// Says whose a proxy's connection is.
    /// - Returns: false where that client has too many, or the connection has to go anyway.
    func identify(_ place: ConnectionPlace, as client: ClientAddress) -> Bool {
        state.withLock { state in
            guard state.places[ObjectIdentifier(place)] != nil, place.address == nil,
                hasSpace(for: client, state)
            else { return false }
            place.address = client
            Self.count(client, in: &state)
            return true
        }
    }

    private func hasSpace(for client: ClientAddress?, _ state: borrowing State) -> Bool {
        guard let client else { return true }
        let most = client.isLoopback ? limitOfLoopback : limitPerAddress
        return state.perNetwork[client.network, default: 0] < most
    }

    private static func count(_ client: ClientAddress?, in state: inout State) {
        if let client { state.perNetwork[client.network, default: 0] += 1 }
    }

    private func makeSpace(_ state: inout State, _ now: NIODeadline) -> ConnectionPlace? {
        guard state.leaving.count < Self.mostLeaving else { return nil }
        let uses = state.places.values.map { (place: $0, current: $0.current) }
        // So many do not arrive at once by chance: then the first of them goes, whoever else is idle.
        let isFlood = uses.count { $0.current.use == .opening } > limit / Self.mostArriving
        let opened = isFlood ? now : now - patience
        let ranked = uses.compactMap { place, current in
            ConnectionPlace.Rank(current.use, since: current.since, opened: opened).map {
                (rank: $0, place: place)
            }
        }
        guard let leaver = ranked.min(by: { $0.rank < $1.rank })?.place else { return nil }
        Self.remove(leaver, from: &state)
        state.leaving[ObjectIdentifier(leaver)] = leaver
        return leaver
    }

    private static func remove(_ place: ConnectionPlace, from state: inout State) {
        guard state.places.removeValue(forKey: ObjectIdentifier(place)) != nil else { return }
        guard let network = place.address?.network else { return }
        let left = state.perNetwork[network, default: 1] - 1
        state.perNetwork[network] = left > 0 ? left : nil
    }

    private func forget(_ place: ConnectionPlace) {
        let waiting = state.withLock { state -> Promise<Void>? in
            Self.remove(place, from: &state)
            state.leaving[ObjectIdentifier(place)] = nil
            guard state.places.isEmpty, state.leaving.isEmpty else { return nil }
            defer { state.whenEmpty = nil }
            return state.whenEmpty
        }
        waiting?.keep(.success(()))
    }

    /// Admits nobody from now on.
    /// - Returns: those that are still open.
    func stopAdmitting() -> [any Channel] {
        state.withLock { state in
            state.isStopping = true
            return state.all
        }
    }

    var all: [any Channel] { state.withLock(\.all) }

    /// Returns when no connection is left. For one caller, after ``stopAdmitting()``.
    func waitUntilEmpty() async {
        let empty = state.withLock { state -> Promise<Void>? in
            if state.places.isEmpty, state.leaving.isEmpty { return nil }
            let empty = Promise<Void>()
            state.whenEmpty = empty
            return empty
        }
        _ = await empty?.result
    }
}
