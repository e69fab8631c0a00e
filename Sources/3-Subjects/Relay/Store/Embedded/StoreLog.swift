import Synchronization
import SystemPackage
import ValiseFiles

/// The store log while the relay runs: lines are appended, many at a time, and durable when they are acknowledged.
///
/// After a write or a flush that failed nothing is believed of what lies behind the last durable byte: it is cut off
/// before anything else is written.
final class StoreLog: Sendable {
    private struct State: ~Copyable {
        var file: OpenFile
        /// Bytes that survive a power cut.
        var durable: Int64
        /// Something may lie behind them.
        var isTorn = false
        /// What a log ends with that was to take the place of this one.
        var successor: StoreLogReader.Ending?
    }

    let path: FilePath
    private let fileSystem: FileSystem
    private let state: Mutex<State>

    /// How long a log is. To be had while lines are being flushed.
    struct Extent: Sendable {
        var lineCount: Int
        /// In bytes, as far as it survives a power cut.
        var size: Int64
        /// How long it was when nothing in it was idle, in bytes; zero while that is not known.
        var compactSize: Int64 = 0

        /// Bytes that came since every line of it said something.
        var growth: Int64 { size - compactSize }
    }

    private let lastExtent: Mutex<Extent>
    var extent: Extent { lastExtent.withLock { $0 } }

    /// - Parameter ending: of what is there.
    init(_ path: FilePath, _ ending: StoreLogReader.Ending, fileSystem: FileSystem) throws(FileError) {
        self.path = path
        self.fileSystem = fileSystem
        state = Mutex(try Self.open(path, ending, fileSystem))
        lastExtent = Mutex(Extent(lineCount: ending.lineCount, size: ending.wholeBytes))
    }

    private static func open(
        _ path: FilePath, _ ending: StoreLogReader.Ending, _ fileSystem: FileSystem
    ) throws(FileError) -> State {
        State(
            file: try fileSystem.openForUpdating(path), durable: ending.wholeBytes, isTorn: ending.isTorn)
    }

    /// Every line of it says something.
    func noteCompact() { lastExtent.withLock { $0.compactSize = $0.size } }

    /// Appends lines and makes them durable. Only one thread at a time gets here, see ``GroupCommit``.
    /// - Throws: `FileError`; none of the lines is there then, or will be.
    func append(_ lines: [StoreLogLine]) throws {
        var bytes: [UInt8] = []
        for line in lines {
            bytes += line.text.utf8
            bytes.append(UInt8(ascii: "\n"))
        }
        try state.withLock { try append(bytes, lines.count, to: &$0) }
    }

    private func append(_ bytes: [UInt8], _ count: Int, to state: inout State) throws {
        try settle(&state)
        try Self.repair(&state)
        do {
            try unsafe bytes.withUnsafeBytes { try unsafe state.file.write($0, at: state.durable) }
            try state.file.synchronize()
            state.durable += Int64(bytes.count)
            lastExtent.withLock { extent in
                extent.size += Int64(bytes.count)
                extent.lineCount += count
            }
        } catch {
            state.isTorn = true
            // Now, so that lines that were refused do not come back after a crash; else before the next ones.
            try? Self.repair(&state)
            throw error
        }
    }

    private static func repair(_ state: inout State) throws {
        guard state.isTorn else { return }
        try state.file.truncate(to: state.durable)
        try state.file.synchronize()
        state.isTorn = false
    }

    // MARK: Being replaced

    /// Another log, whole and durable, is about to get the name of this one.
    func willBeReplaced(by ending: StoreLogReader.Ending) {
        state.withLock { $0.successor = ending }
    }

    /// Resumes the log that has the name now. Until that is done nothing is appended: a line in a log that has
    /// lost its name would be lost too.
    func settle() throws(FileError) {
        try state.withLock { state throws(FileError) in try settle(&state) }
    }

    private func settle(_ state: inout State) throws(FileError) {
        guard let ending = state.successor else { return }
        if let named = try fileSystem.attributes(of: path), named.isSameFile(as: try state.file.attributes())
        {
            state.successor = nil
            return
        }
        try fileSystem.synchronizeDirectory(path.parentFolder)
        state = try Self.open(path, ending, fileSystem)
        lastExtent.withLock {
            $0 = Extent(
                lineCount: ending.lineCount, size: ending.wholeBytes, compactSize: ending.wholeBytes)
        }
    }
}
