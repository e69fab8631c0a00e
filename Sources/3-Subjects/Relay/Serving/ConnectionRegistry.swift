import NIOCore
import Synchronization
import ValiseConcurrency

/// The connections that are open: how many there may be, who makes space for others, and who has to end when the relay
/// stops.
final class ConnectionRegistry: Sendable {
    private struct State {
        /// Those that may stay.
        var places: [ObjectIdentifier: ConnectionPlace] = [:]
        var perAddress: [[UInt8]: Int] = [:]
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
    /// - Returns: nil where there is no place.
    func admit(_ channel: any Channel) -> ConnectionPlace? {
        let address = Self.network(of: channel.remoteAddress)
        let most = Self.isLoopback(channel.remoteAddress) ? limitOfLoopback : limitPerAddress
        let now = NIODeadline.now()
        let place = ConnectionPlace(channel, address: address, now: now)
        let (isAdmitted, leaver) = state.withLock { state -> (Bool, ConnectionPlace?) in
            guard !state.isStopping, state.perAddress[address, default: 0] < most else { return (false, nil) }
            var leaver: ConnectionPlace?
            if state.places.count >= limit {
                leaver = makeSpace(&state, now)
                if leaver == nil { return (false, nil) }
            }
            state.places[ObjectIdentifier(place)] = place
            state.perAddress[address, default: 0] += 1
            return (true, leaver)
        }
        guard isAdmitted else { return nil }
        leaver?.channel.pipeline.fireUserInboundEventTriggered(PlaceIsNeeded())
        channel.closeFuture.whenComplete { [self] _ in forget(place) }
        return place
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
        let left = state.perAddress[place.address, default: 1] - 1
        state.perAddress[place.address] = left > 0 ? left : nil
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

    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

    /// What counts as one address: all of IPv4's, the network of IPv6's, nothing for others.
    static func network(of address: SocketAddress?) -> [UInt8] {
        // Where the numbers lie in sockaddr_in and sockaddr_in6 is the same on all systems.
        switch address {
        case .v4: return bytes(of: address, 4..<8)
        case .v6:
            let number = bytes(of: address, 8..<24)
            // An IPv4 address that came through a socket for both.
            return number.starts(with: mappedPrefix) ? Array(number.suffix(4)) : Array(number.prefix(8))
        default: return []
        }
    }

    /// Whether it is one of this machine to itself.
    static func isLoopback(_ address: SocketAddress?) -> Bool {
        switch address {
        case .v4: bytes(of: address, 4..<8).first == 127
        case .v6:
            bytes(of: address, 8..<24) == Array(repeating: 0, count: 15) + [1]
                || bytes(of: address, 8..<24).starts(with: mappedPrefix + [127])
        default: false
        }
    }

    private static func bytes(of address: SocketAddress?, _ range: Range<Int>) -> [UInt8] {
        unsafe address?.withSockAddr { start, size in
            unsafe size < range.upperBound
                ? [] : Array(UnsafeRawBufferPointer(start: start, count: size)[range])
        } ?? []
    }
}
