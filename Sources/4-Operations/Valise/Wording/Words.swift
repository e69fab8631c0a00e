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
        var value = Double(bytes)
        for unit in ["bytes", "kB", "MB", "GB"] {
            if value < 1000 {
                return unit == "bytes" ? Count.text(Int(bytes), "byte") : "\(oneDecimal(value)) \(unit)"
            }
            value /= 1000
        }
        return "\(oneDecimal(value)) TB"
    }

    private static func oneDecimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
