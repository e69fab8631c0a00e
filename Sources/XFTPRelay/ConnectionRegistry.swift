import NIOCore
import Synchronization

/// The connections that are open: how many there may be, and who has to end when the relay stops.
final class ConnectionRegistry: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var perAddress: [[UInt8]: Int] = [:]
        var isStopping = false
        var whenEmpty: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let limit: Int
    private let limitPerAddress: Int
    private let exemptsLoopback: Bool

    init(limits: RelayLimits) {
        limit = limits.connections
        limitPerAddress = limits.connectionsPerAddress
        exemptsLoopback = limits.exemptsLoopback
    }

    var count: Int { state.withLock { $0.channels.count } }

    /// Whether there is room for a connection; it is counted until it closes.
    func admit(_ channel: any Channel) -> Bool {
        let address = Self.network(of: channel.remoteAddress)
        let isExempt = exemptsLoopback && Self.isLoopback(channel.remoteAddress)
        let isAdmitted = state.withLock { state in
            guard !state.isStopping, state.channels.count < limit,
                isExempt || state.perAddress[address, default: 0] < limitPerAddress
            else { return false }
            state.channels[ObjectIdentifier(channel)] = channel
            state.perAddress[address, default: 0] += 1
            return true
        }
        if isAdmitted {
            channel.closeFuture.whenComplete { [self] _ in forget(channel, address) }
        }
        return isAdmitted
    }

    private func forget(_ channel: any Channel, _ address: [UInt8]) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.channels[ObjectIdentifier(channel)] = nil
            let left = state.perAddress[address, default: 1] - 1
            state.perAddress[address] = left > 0 ? left : nil
            guard state.channels.isEmpty else { return nil }
            defer { state.whenEmpty = nil }
            return state.whenEmpty
        }
        waiting?.resume()
    }

    /// Admits nobody from now on.
    /// - Returns: those that are still open.
    func stopAdmitting() -> [any Channel] {
        state.withLock { state in
            state.isStopping = true
            return Array(state.channels.values)
        }
    }

    var all: [any Channel] { state.withLock { Array($0.channels.values) } }

    /// Returns when no connection is left. For one caller, after ``stopAdmitting()``.
    func waitUntilEmpty() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if !state.channels.isEmpty { state.whenEmpty = continuation }
                return state.channels.isEmpty
            }
            if isEmpty { continuation.resume() }
        }
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
        address?.withSockAddr { start, size in
            size < range.upperBound ? [] : Array(UnsafeRawBufferPointer(start: start, count: size)[range])
        } ?? []
    }
}
