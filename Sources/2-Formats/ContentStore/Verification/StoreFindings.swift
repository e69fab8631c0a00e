import Synchronization

/// Findings as several threads have them.
final class StoreFindings: Sendable {
    private struct State {
        var findings: [StoreFinding.Kind: [StoreFinding]] = [:]
        var counts: [StoreFinding.Kind: Int] = [:]
    }

    /// Of one kind; a broken disk has any number of them.
    private static let mostOfKind = 1000

    private let state = Mutex(State())

    /// Adds a finding, or only counts it.
    func add(_ finding: StoreFinding) {
        state.withLock { state in
            // A chunk is missed by whoever reads its file, and by whoever lists the chunks.
            guard state.findings[finding.kind]?.contains(finding) != true else { return }
            let count = state.counts[finding.kind, default: 0]
            state.counts[finding.kind] = count + 1
            if count < Self.mostOfKind { state.findings[finding.kind, default: []].append(finding) }
        }
    }

    /// All of them, errors first, and how many of each kind there are.
    var all: (findings: [StoreFinding], counts: [StoreFinding.Kind: Int]) {
        state.withLock { state in
            let findings = StoreFinding.Kind.allCases
                .flatMap { kind in
                    state.findings[kind, default: []].sorted {
                        ($0.subject, $0.message) < ($1.subject, $1.message)
                    }
                }
            return (findings, state.counts)
        }
    }
}
