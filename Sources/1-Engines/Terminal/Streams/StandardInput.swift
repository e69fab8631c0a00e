import CValisePlatform
import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles

/// Piped text.
package enum StandardInput {
    /// Everything up to the end of input.
    ///
    /// - Parameter limit: in bytes.
    /// - Throws: ``TerminalError``: `invalid` for more than `limit` bytes, or for text that is not UTF-8; `Interruption`.
    package static func text(limit: Int) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = try unsafe buffer.withUnsafeMutableBytes {
                try unsafe FileDescriptor.standardInput.read(into: $0) {
                    if valise_interrupted() { throw Interruption() }
                }
            }
            if count == 0 { break }
            bytes += buffer[..<count]
            guard bytes.count <= limit else {
                throw TerminalError(.invalid, "standard input is longer than \(Count.bytes(Int64(limit)))")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw TerminalError(.invalid, "standard input is not UTF-8")
        }
        return text
    }
}
