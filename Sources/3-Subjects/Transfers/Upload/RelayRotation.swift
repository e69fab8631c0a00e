import Synchronization
import ValiseXFTPWire

/// In which order relays are asked to take a chunk: in turn, those that failed a short while ago last.
final class RelayRotation: Sendable {
    private struct State {
        var next = 0
        /// How many turns a relay is left out, by its place.
        var pauses: [Int]
        var used: Set<Int> = []
        var full: Set<Int> = []
        /// The last one of each.
        var failures: [Int: any Error] = [:]
    }

    private let relays: [RelayAccess]
    private let state: Mutex<State>
    /// So many chunks go elsewhere before a relay that failed is asked first again.
    private static let pause = 16

    init(_ relays: [RelayAccess]) {
        self.relays = relays
        state = Mutex(State(pauses: relays.map { _ in 0 }))
    }

    /// All relays, the one whose turn it is first.
    ///
    /// - Parameter avoided: relays that failed for this chunk: those of the same operator, which is who shares a host
    ///   with them, come last.
    func order(avoiding avoided: [XFTPAddress] = []) -> [RelayAccess] {
        if relays.isEmpty { return [] }
        return state.withLock { state in
            let start = state.next
            state.next = (state.next + 1) % relays.count
            let turns = relays.indices.map { (start + $0) % relays.count }.filter { !state.full.contains($0) }
            let ranked = turns.map { ($0, rank($0, avoided, &state)) }
            return [0, 1, 2].flatMap { wanted in ranked.filter { $0.1 == wanted }.map { relays[$0.0] } }
        }
    }

    private func rank(_ index: Int, _ avoided: [XFTPAddress], _ state: inout State) -> Int {
        if avoided.contains(where: { $0.sharesHost(with: relays[index].address) }) { return 2 }
        guard state.pauses[index] > 0 else { return 0 }
        state.pauses[index] -= 1
        return 1
    }

    /// Whether there is another relay than this one.
    func hasOther(than relay: XFTPAddress) -> Bool {
        state.withLock { state in
            relays.indices.contains { !state.full.contains($0) && relays[$0].address != relay }
        }
    }

    /// Why relays failed, each the last time, in the order in which they were given.
    var failures: [any Error] {
        state.withLock { state in relays.indices.compactMap { state.failures[$0] } }
    }

    func failed(_ relay: XFTPAddress, _ error: any Error) {
        change(relay) { state, index in
            state.failures[index] = error
            state.pauses[index] = Self.pause
            state.used.remove(index)
        }
    }

    /// It takes nothing more in this run.
    func isFull(_ relay: XFTPAddress) { change(relay) { $0.full.insert($1) } }

    /// - Returns: whether this was its first success, or the first since it failed.
    func succeeded(_ relay: XFTPAddress) -> Bool {
        var isFirst = false
        change(relay) { state, index in
            state.pauses[index] = 0
            isFirst = state.used.insert(index).inserted
        }
        return isFirst
    }

    private func change(_ relay: XFTPAddress, _ body: (inout State, Int) -> Void) {
        state.withLock { state in
            for index in relays.indices where relays[index].address == relay { body(&state, index) }
        }
    }
}

extension XFTPAddress {
    func sharesHost(with other: XFTPAddress) -> Bool { !Set(hosts).isDisjoint(with: other.hosts) }
}
