import Synchronization

/// What files are read by: to read a packed entry of an archive at any place, or a file of chunks, takes up to some 25 MiB of
/// memory, so that only those that were read last stay.
final class OpenSources<Source: Sendable>: Sendable {
    private struct Open {
        let source: Source
        let cost: Int64
        var turn: UInt64
    }

    private struct State {
        var sources: [[UInt8]: Open] = [:]
        var cost: Int64 = 0
        var turn: UInt64 = 0
    }

    private let state = Mutex(State())

    /// In bytes of memory, about.
    private static var mostCost: Int64 { 100 << 20 }
    private static var mostCostOfOne: Int64 { 25 << 20 }
    /// What any takes, with its objects.
    private static var leastCost: Int64 { 64 << 10 }

    /// - Parameters:
    ///   - name: of the file.
    ///   - cost: how many bytes it has.
    ///   - make: makes it where it is not open.
    /// - Throws: what `make` throws.
    func source(
        _ name: [UInt8], cost: Int64, make: () throws -> Source
    ) throws -> Source {
        if let open = state.withLock({ Self.known(name, &$0) }) { return open }
        let made = try make()
        let cost = min(max(cost, Self.leastCost), Self.mostCostOfOne)
        return state.withLock { state in
            // Another thread may have been quicker.
            if let open = Self.known(name, &state) { return open }
            while state.cost + cost > Self.mostCost,
                let oldest = state.sources.min(by: { $0.value.turn < $1.value.turn })
            {
                state.sources[oldest.key] = nil
                state.cost -= oldest.value.cost
            }
            state.turn += 1
            state.sources[name] = Open(source: made, cost: cost, turn: state.turn)
            state.cost += cost
            return made
        }
    }

    private static func known(_ name: [UInt8], _ state: inout State) -> Source? {
        guard let open = state.sources[name] else { return nil }
        state.turn += 1
        state.sources[name]?.turn = state.turn
        return open.source
    }
}
