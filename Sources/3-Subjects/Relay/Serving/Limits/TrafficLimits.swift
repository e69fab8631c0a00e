import Synchronization

/// What clients may move and announce, in all and by their addresses.
final class TrafficLimits: Sendable {
    /// Addresses that are remembered, some 200 bytes each. Who has enough of them gets what these have together: the limits in
    /// all hold for him, too.
    static let mostAddresses = 32_768

    private let all: TrafficAllowance?
    private let ratesPerAddress: TrafficRates
    private let exemptsLoopback: Bool
    private let addresses = Mutex(RecentTable<[UInt8], TrafficAllowance>(most: mostAddresses))

    init(_ limits: RelayLimits) {
        all = limits.rates.isUnlimited ? nil : TrafficAllowance(limits.rates)
        ratesPerAddress = limits.ratesPerAddress
        exemptsLoopback = limits.exemptsLoopback
    }

    /// - Parameter address: nil for a proxy itself, such as when it looks whether the relay lives.
    func allowance(of address: ClientAddress?) -> ClientAllowance {
        guard let address, !ratesPerAddress.isUnlimited, !(address.isLoopback && exemptsLoopback) else {
            return ClientAllowance(all: all, own: nil)
        }
        let own = addresses.withLock { table in
            table.value(for: address.network) { TrafficAllowance(ratesPerAddress) }
        }
        return ClientAllowance(all: all, own: own)
    }
}

/// What the client of one connection may take.
struct ClientAllowance: Sendable {
    fileprivate let all: TrafficAllowance?
    fileprivate let own: TrafficAllowance?

    fileprivate init(all: TrafficAllowance?, own: TrafficAllowance?) {
        self.all = all
        self.own = own
    }

    /// Without limits.
    static let unlimited = ClientAllowance(all: nil, own: nil)

    /// Takes bytes, which may be moved after a pause.
    func take(
        _ bytes: Int, _ direction: TrafficAllowance.Direction, now: ContinuousClock.Instant = .now
    ) -> Duration {
        max(
            all?.take(bytes, direction, now: now) ?? .zero, own?.take(bytes, direction, now: now) ?? .zero)
    }

    /// - Returns: whether one more chunk may be announced, which then counts.
    func takeNewFile(now: ContinuousClock.Instant = .now) -> Bool {
        guard all?.takeNewFile(now: now) ?? true else { return false }
        if own?.takeNewFile(now: now) ?? true { return true }
        all?.returnNewFile()
        return false
    }
}
