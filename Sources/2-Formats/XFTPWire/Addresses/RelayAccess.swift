/// An address as a client configures it: with the password that the relay may ask for.
package struct RelayAccess: Hashable, Sendable {
    package var address: XFTPAddress
    package var password: RelayPassword?

    package init(_ address: XFTPAddress, password: RelayPassword? = nil) {
        self.address = address
        self.password = password
    }
}

extension RelayAccess {
    /// Reads `xftp://<fingerprint>[:<password>]@<host>[,<host>…][:<port>]`.
    ///
    /// - Throws: ``XFTPWireError``: `invalid`. It does not quote the text, which may hold a password.
    package init(_ text: some StringProtocol) throws(XFTPWireError) {
        let parts = try XFTPAddress.Parts(text)
        address = try XFTPAddress(parts)
        if let text = parts.password { password = try RelayPassword(checking: text) }
    }
}

extension RelayAccess: CustomStringConvertible {
    /// The address alone.
    package var description: String { address.text }
}

extension RelayPassword {
    private static let longest = 255

    /// - Throws: ``XFTPWireError``: `invalid` for a text that cannot stand in an address or a command.
    package init(checking text: some StringProtocol) throws(XFTPWireError) {
        guard (1...Self.longest).contains(text.utf8.count), text.unicodeScalars.allSatisfy(Self.isAllowed)
        else {
            throw .address(
                "a relay password must have 1 to \(Self.longest) printable bytes, without spaces or any of @ : /"
            )
        }
        self.init(String(text))
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "@", ":", "/": return false
        default:
            let isControl = [.control, .format].contains(scalar.properties.generalCategory)
            return !scalar.properties.isWhitespace && !isControl
        }
    }
}
