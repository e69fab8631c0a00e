/// Durations for a user.
package enum Seconds {
    /// Such as `2.4 s`.
    package static func text(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
