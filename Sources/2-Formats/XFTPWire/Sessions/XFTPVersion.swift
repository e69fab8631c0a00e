/// Versions of the protocol (XFTP fact sheet, §3.1).
package enum XFTPVersion {
    /// What this implementation speaks.
    package static let supported: ClosedRange<UInt16> = 1...3
    /// What a connection without a handshake has.
    package static let withoutHandshake: UInt16 = 1
    /// The first one that is told that a chunk is blocked; those before read `AUTH`.
    package static let blocked: UInt16 = 3

    /// The best version that both sides speak; nil where there is none.
    package static func best(of range: ClosedRange<UInt16>) -> UInt16? {
        guard range.overlaps(supported) else { return nil }
        return min(range.upperBound, supported.upperBound)
    }
}
