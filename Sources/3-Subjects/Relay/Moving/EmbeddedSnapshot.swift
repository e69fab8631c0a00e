import Synchronization
package import SystemPackage
import ValiseEncoding
import ValiseFailures
package import ValiseFiles

/// The records of a log as it is now, for reading only. A relay may run meanwhile: nothing is locked, truncated, compacted or removed.
///
/// Each call first reads what the log has got since the call before. A last line without an end is left for later, as it was never
/// acknowledged. A log that was replaced, by a compaction, or cut, after a failed write, is read anew. Bodies are taken for
/// what the log says of them: whether they are there is not looked at.
package final class EmbeddedSnapshot: ChunkRecords {
    /// How many bytes before the end of what was read have to be the same for the rest to be read only.
    private static let tailCount = 256

    private struct State: ~Copyable {
        var tables = ChunkTables()
        var report = StoreStartReport()
        /// Of the log that was read; nil before the first time.
        var log: FileIdentity?
        var ending = StoreLogReader.Ending()
        var tail: [UInt8] = []
    }

    private let path: FilePath
    private let fileSystem: FileSystem
    private let state = Mutex(State())

    /// Reads the log.
    /// - Parameters:
    ///   - log: of the relay.
    ///   - fileSystem: where it is read.
    /// - Throws: ``XFTPStoreError``: `notFound` where there is no log, `damaged` where none of its lines can be read.
    package init(_ log: FilePath, fileSystem: FileSystem = FileSystem()) throws {
        path = log
        self.fileSystem = fileSystem
        try reading { _ in }
    }

    /// What was found in the log.
    package var report: StoreStartReport { state.withLock { $0.report } }

    /// Looks at the records as they are now.
    func reading<Result: Sendable>(_ body: (ChunkTables) throws -> Result) throws -> Result {
        do {
            return try state.withLock { state in
                try follow(&state)
                return try body(state.tables)
            }
        } catch {
            throw XFTPStoreError(error)
        }
    }

    private func follow(_ state: inout State) throws {
        // An official relay that was killed when it started left its log under this name.
        let start = path.appendingSuffix(".start")
        let file = try fileSystem.openForReading(fileSystem.exists(start) ? start : path)
        let found = try file.attributes()
        if try !Self.isContinued(state, file, found) { state = State() }
        state.log = found.identity
        guard found.size > state.ending.wholeBytes else { return }
        do {
            try read(file, &state)
        } catch {
            // What was applied of it must not be applied twice.
            state = State()
            throw error
        }
    }

    private func read(_ file: borrowing OpenFile, _ state: inout State) throws {
        state.ending = try StoreLogReader.read(file, from: state.ending) { number, line in
            do throws(StoreLogFault) {
                try state.tables.apply(try line.get())
            } catch {
                state.report.note(error, number)
            }
        }
        let lines = state.ending.lineCount
        state.report.lineCount = lines
        state.tail = try Self.tail(file, state.ending)
        guard lines == 0 || state.report.badLineCount < lines else {
            throw XFTPStoreError(
                .damaged, "not a store log: none of its \(Count.text(lines, "line")) is valid",
                subject: path.string)
        }
    }

    /// Whether the log only got longer since it was read.
    private static func isContinued(
        _ state: borrowing State, _ file: borrowing OpenFile, _ found: FileAttributes
    ) throws -> Bool {
        guard state.log == found.identity, found.size >= state.ending.wholeBytes else { return false }
        return try tail(file, state.ending) == state.tail
    }

    private static func tail(
        _ file: borrowing OpenFile, _ ending: StoreLogReader.Ending
    ) throws -> [UInt8] {
        let count = Int(min(Int64(tailCount), ending.wholeBytes))
        return try file.bytes(at: ending.wholeBytes - Int64(count), count: count)
    }
}
