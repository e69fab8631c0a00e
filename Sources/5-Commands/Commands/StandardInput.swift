import CValisePlatform
import Valise

/// Piped text.
enum StandardInput {
    /// Everything up to the end of input.
    /// - Throws: ``CommandError`` for more than `limit` bytes, or for text that is not UTF-8.
    static func text(limit: Int) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = try buffer.withUnsafeMutableBytes {
                try FileDescriptor.standardInput.read(into: $0) {
                    if valise_interrupted() { throw Interruption() }
                }
            }
            if count == 0 { break }
            bytes += buffer[..<count]
            guard bytes.count <= limit else {
                throw CommandError(.invalid, "standard input is longer than \(limit) bytes")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError(.invalid, "standard input is not UTF-8")
        }
        return text
    }

    /// Links, one on a line.
    /// - Throws: as ``text(limit:)``; ``CommandError`` for none.
    static func links() throws -> [String] {
        let links = try text(limit: 1 << 20).split(whereSeparator: \.isWhitespace)
        guard !links.isEmpty else {
            throw CommandError(.invalid, "standard input is empty, but a link is expected")
        }
        return links.map { FileReferences.bare($0) }
    }
}
