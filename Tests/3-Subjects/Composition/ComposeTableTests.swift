import Foundation
import TestPeers
import Testing
import ValiseComposition

/// Every event in every state: section 8.4 of the fact sheet, one line an outcome.
struct ComposeTableTests {
    /// What becomes of a message: the parts that changed, then what has to be done.
    static func outcome(
        of event: ComposeEvent, in state: ComposeState, _ policy: ComposePolicy = ComposeCase.policy
    )
        -> String
    {
        let (after, effects) = ComposeState.reduce(state, event, policy)
        let (old, new) = (state.summary, after.summary)
        let changes =
            new.isEmpty && !old.isEmpty
            ? ["cleared"]
            : Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }.map {
                "\($0)=\(new[$0] ?? "")"
            }
        let words = changes + effects.map { "+\($0.summary)" }
        return words.isEmpty ? "nothing" : words.joined(separator: " ")
    }

    /// The table as it is computed, in the form of the file.
    static func table() -> String {
        var lines: [String] = []
        for (name, event) in ComposeCase.events {
            lines.append("")
            lines.append("# \(name)")
            var outcomes: [(outcome: String, states: [String])] = []
            for (state, events) in ComposeCase.states {
                let outcome = outcome(of: event, in: ComposeCase.made(events))
                if let place = outcomes.firstIndex(where: { $0.outcome == outcome }) {
                    outcomes[place].states.append(state)
                } else {
                    outcomes.append((outcome, [state]))
                }
            }
            for (outcome, states) in outcomes { lines.append("\(states.joined(separator: " ")): \(outcome)") }
        }
        return lines.dropFirst().joined(separator: "\n") + "\n"
    }

    /// One line of the file: an event, a state, and what becomes of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let event: String
        let state: String
        let outcome: String
        var testDescription: String { "\(event), \(state)" }
    }

    static let rows: [Row] = {
        guard
            let text = try? String(
                contentsOf: Repository.beside("Fixtures/compose-table.txt"), encoding: .utf8)
        else { return [] }
        var event = ""
        var rows: [Row] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# ") {
                event = String(line.dropFirst(2))
            } else if let colon = line.firstRange(of: ": ") {
                for state in line[..<colon.lowerBound].split(separator: " ") {
                    rows.append(
                        Row(event: event, state: String(state), outcome: String(line[colon.upperBound...])))
                }
            }
        }
        return rows
    }()

    @Test func `the table has every event in every state once`() {
        let pairs = Self.rows.map { "\($0.event)/\($0.state)" }
        let wanted = ComposeCase.events.flatMap { event in ComposeCase.states.map { "\(event.key)/\($0.key)" }
        }
        #expect(pairs.count == wanted.count)
        #expect(Set(wanted).symmetricDifference(pairs).isEmpty)
    }

    @Test(arguments: rows)
    func `an event does what the table says`(row: Row) throws {
        let event = try #require(ComposeCase.events.first { $0.key == row.event }?.value)
        let state = try #require(ComposeCase.states.first { $0.key == row.state }?.value)
        #expect(Self.outcome(of: event, in: ComposeCase.made(state)) == row.outcome)
    }
}
