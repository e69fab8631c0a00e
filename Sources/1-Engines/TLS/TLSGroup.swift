/// The key exchanges of XFTP.
package enum TLSGroup: String, Sendable, CaseIterable {
    case x448 = "X448"
    case x25519 = "X25519"

    /// OpenSSL's list of these.
    static func list(_ groups: [TLSGroup]) -> String { groups.map(\.rawValue).joined(separator: ":") }
}
