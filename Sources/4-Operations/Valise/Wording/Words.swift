import ValiseEncoding
import ValiseFailures

extension String {
    /// Without control characters: names out of archives could drive the terminal.
    package var withoutControls: String { replacingControls { _ in "?" } }
}

/// Sizes for people.
package enum ByteCount {
    /// Such as `12.3 MB`; powers of 1000.
    package static func text(_ bytes: Int64) -> String {
        Count.bytes(bytes)
    }
}
