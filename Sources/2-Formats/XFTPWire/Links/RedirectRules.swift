/// When a link holds the description of a description, and what of both has to agree (fact sheet, §7.6).
package enum RedirectRules {
    /// What the description behind a redirect is called.
    package static let fileName = "direct.yaml"
    /// From so many characters behind the `#` on, browsers get a redirect.
    package static let longestFragment = 400

    /// Whether a link of the app is too long for a QR code.
    package static func isNeeded(appLinkLength: Int) -> Bool { appLinkLength > FileLink.longestForQRCode }

    /// Whether a link for browsers is better short.
    package static func isNeeded(fragmentLength: Int, chunkCount: Int) -> Bool {
        fragmentLength > longestFragment && chunkCount > 1
    }
}

extension FileDescription {
    /// What a redirect to this description says of it.
    package var redirectHere: Redirect { Redirect(size: size, digest: digest) }

    /// Whether the description that came from behind a redirect is what was promised, and the last one.
    ///
    /// - Parameter redirect: of the outer description.
    /// - Throws: ``XFTPWireError``: `damaged`, or `invalid` for the description of a sender.
    package func checkAgreement(with redirect: Redirect) throws(XFTPWireError) {
        try check(isFor: .recipient)
        guard self.redirect == nil else {
            throw .description("it redirects to a description that redirects again")
        }
        guard redirectHere == redirect else {
            throw .description("it redirects to the description of another file")
        }
    }
}
