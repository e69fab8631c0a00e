/// Where pages go. The caller makes the whole of them atomic.
package protocol PageSink {
    /// Writes a file.
    /// - Parameters:
    ///   - path: below the folder of the export, with `/` between names.
    ///   - bytes: the whole content.
    func write(_ path: String, _ bytes: [UInt8]) throws
}

/// Temporary files, numbered from 0, for what does not fit into memory.
package protocol SpillStore {
    /// Adds bytes at the end of a file, which is made when it is first used.
    func append(_ bytes: [UInt8], to run: Int) throws
    /// Reads from a place of a file; fewer bytes only where it ends.
    func read(from run: Int, at offset: Int, count: Int) throws -> [UInt8]
}

/// Keeps in memory what others keep in temporary files: for small exports and for tests.
package final class MemorySpill: SpillStore {
    private var runs: [[UInt8]] = []

    package init() {}

    package func append(_ bytes: [UInt8], to run: Int) {
        while runs.count <= run { runs.append([]) }
        runs[run] += bytes
    }

    package func read(from run: Int, at offset: Int, count: Int) -> [UInt8] {
        guard run < runs.count, offset < runs[run].count else { return [] }
        return Array(runs[run][offset..<min(runs[run].count, offset + count)])
    }
}
