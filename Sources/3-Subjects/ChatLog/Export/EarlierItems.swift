import SystemPackage
import ValiseEncoding
import ValiseFiles

/// The items of an earlier export, one at a time.
///
/// Lines that cannot be read are kept in a file of their own: the account may no longer have their items, and nothing that an
/// export once had is lost.
final class EarlierItems {
    private var lines: LineReader
    private let aside: FilePath
    private let fileSystem: FileSystem
    private var kept: LineOutput?
    private var damaged = 0

    /// - Parameter path: of the items.
    /// - Throws: `FileError`.
    init(_ path: FilePath, _ fileSystem: FileSystem) throws {
        lines = try LineReader(path, fileSystem)
        aside = path.removingLastComponent().appending("\(path.stem ?? "items").damaged")
        self.fileSystem = fileSystem
    }

    /// The next item; nil at the end.
    func next() throws -> ConversationItem? {
        while let line = try lines.next() {
            if let item = JSONNode(parsing: Array(line)).flatMap({ ConversationItem($0) }) { return item }
            try keep(Array(line))
        }
        return nil
    }

    private func keep(_ line: [UInt8]) throws {
        if kept == nil {
            let output = try LineOutput(aside, fileSystem)
            if try fileSystem.exists(aside) {
                var earlier = try LineReader(aside, fileSystem)
                while let line = try earlier.next() { try output.write(Array(line) + [0x0A]) }
            }
            kept = output
        }
        try kept?.write(line + [0x0A])
        damaged += 1
    }

    /// Makes what is kept durable, before the items are replaced.
    /// - Returns: what is to be said of it; nil for nothing.
    func finish() throws -> String? {
        guard let kept else { return nil }
        try kept.finish()
        let file = aside.lastComponent?.string ?? ""
        return "\(Count.text(damaged, "line")) of the earlier export cannot be read: kept in \(file)"
    }
}
