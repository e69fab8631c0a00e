import SystemPackage
import ValiseFiles

/// Goes through a store log of any size, line by line.
struct StoreLogReader {
    /// Longer lines are none of a relay: one with 255 recipients has some 35,000 bytes.
    static let longestLine = 1 << 18
    private static let pieceSize = 1 << 20

    /// What a log ended with.
    struct Ending {
        /// Those that end with a line break.
        var lineCount = 0
        /// Up to the last line break.
        var wholeBytes: Int64 = 0
        /// Whether something lies behind the last line break: a line that was never acknowledged.
        var isTorn = false
    }

    /// - Parameter body: gets the number of each line, from 1, and the line, or why it cannot be read.
    static func read(
        _ path: FilePath, fileSystem: FileSystem,
        _ body: (Int, Result<StoreLogLine, StoreLogFault>) -> Void
    ) throws(FileError) -> Ending {
        try read(fileSystem.openForReading(path), from: Ending(), body)
    }

    /// - Parameters:
    ///   - file: an open log.
    ///   - ending: of what was read before: lines behind it are read.
    ///   - body: as above.
    static func read(
        _ file: borrowing OpenFile, from ending: Ending,
        _ body: (Int, Result<StoreLogLine, StoreLogFault>) -> Void
    ) throws(FileError) -> Ending {
        var ending = ending
        var offset = ending.wholeBytes
        var rest: [UInt8] = []
        var isTooLong = false
        while true {
            let piece = try file.bytes(at: offset, count: pieceSize)
            if piece.isEmpty { break }
            offset += Int64(piece.count)
            var start = piece.startIndex
            while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
                ending.lineCount += 1
                rest += piece[start..<end]
                body(ending.lineCount, isTooLong ? .failure(tooLong) : line(rest))
                rest.removeAll(keepingCapacity: true)
                isTooLong = false
                start = end + 1
                ending.wholeBytes = offset - Int64(piece.endIndex - start)
            }
            rest += piece[start...]
            if rest.count > longestLine {
                rest = [0]
                isTooLong = true
            }
        }
        ending.isTorn = !rest.isEmpty
        return ending
    }

    private static let tooLong = StoreLogFault("the line is too long")

    private static func line(_ bytes: [UInt8]) -> Result<StoreLogLine, StoreLogFault> {
        guard bytes.count <= longestLine else { return .failure(tooLong) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return .failure(StoreLogFault("not valid UTF-8 text"))
        }
        do throws(StoreLogFault) {
            return .success(try StoreLogLine(text))
        } catch {
            return .failure(error)
        }
    }
}
