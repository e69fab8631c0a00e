#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a sweep over all the file operations of some work tries at each of them.
///
/// The short form fails each third operation, and where there are several faults (or whatever else is tried), it takes one at
/// each of them, in turns that begin elsewhere in each run; with `VALISE_SOAK` all of them are tried at all. `VALISE_SEED`
/// repeats the turns of an earlier run. With `VALISE_UNIT` (`make test-unit`) only each seventh operation is failed.
package enum FaultSweep {
    package static let isIntact = getenv("VALISE_SOAK") != nil
    private static let few = isIntact ? 1 : getenv("VALISE_UNIT") == nil ? 3 : 7

    /// Where the turns begin, said once in a run.
    private static let start: UInt64 = {
        let given = getenv("VALISE_SEED").flatMap { UInt64(String(cString: $0)) }
        let start = given ?? UInt64.random(in: 0...999_999)
        if !isIntact { print("turns of the faults: VALISE_SEED=\(start)") }
        return start
    }()

    /// The choices whose turn it is at an operation.
    package static func turn<Choice>(of choices: [Choice], at position: Int) -> [Choice] {
        guard !isIntact, !choices.isEmpty else { return choices }
        guard (Int(start) + position) % few == 0 else { return [] }
        let first = Int(start % UInt64(choices.count))
        return [choices[(first + position) % choices.count]]
    }

    /// Each third of them, or as many as of the operations: rounds that take turns take all of them over the runs.
    package static func few<Choices: Sequence>(of all: Choices) -> [Choices.Element] {
        all.enumerated().filter { ($0.offset + Int(start)) % few == 0 }.map(\.element)
    }

    /// The first operation of a sweep that has other ones beside it, and takes each `step`th operation.
    package static func first(step: Int) -> Int { isIntact ? 1 : 1 + Int(start % UInt64(step * few)) }

    /// How far it is to the next operation.
    package static func step(_ step: Int) -> Int { isIntact ? 1 : step * few }
}
