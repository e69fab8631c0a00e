import ValiseFailures
package import ValiseSecrets

extension FileLink {
    /// The longest link that is read, in bytes: every byte of a description may be an escape.
    static let longest = 3 * FileDescription.largestYAML + (1 << 20)

    /// Whether a text begins as a link does, and not as the name of a file.
    package static func isLink(_ text: some StringProtocol) -> Bool {
        let beginning = text.prefix(8).lowercased()
        return ["simplex:", "https://", "http://"].contains { beginning.hasPrefix($0) }
    }

    /// Reads a link of the app (`simplex:/file#/?desc=…`, or the same behind `https://<host>`), or one for browsers
    /// (`https://<host>/…#<packed description>`).
    ///
    /// - Throws: ``XFTPWireError``: `damaged`; `invalid` for the description of a sender; `SecretsError` when no guarded
    ///   memory is to be had.
    package init(_ text: String) throws {
        var text = text
        self = try text.withUTF8 { try unsafe Self.read(UnsafeRawBufferPointer($0)) }
    }

    /// The same out of guarded memory.
    /// - Throws: as ``init(_:)``.
    package init(_ text: borrowing SecretBytes) throws {
        self = try unsafe text.withBytes { try unsafe Self.read($0) }
    }

    private static func read(_ text: UnsafeRawBufferPointer) throws -> FileLink {
        guard text.count <= longest else { throw XFTPWireError.link("too long") }
        guard let hash = unsafe text.firstIndex(of: UInt8(ascii: "#")) else {
            throw XFTPWireError.link("no #")
        }
        let address = unsafe String(decoding: text[..<hash].prefix(4096), as: UTF8.self)
        var fragment = unsafe UnsafeRawBufferPointer(rebasing: text[(hash + 1)...])
        while let last = unsafe fragment.last, last <= 0x20 {
            unsafe fragment = unsafe UnsafeRawBufferPointer(rebasing: fragment.dropLast())
        }
        let isForApp = unsafe fragment.starts(with: "/?".utf8)
        try checkAddress(address.drop { $0.isWhitespace }, isForApp: isForApp)
        if isForApp { return try unsafe read(query: UnsafeRawBufferPointer(rebasing: fragment.dropFirst(2))) }
        return try unsafe read(fragment: fragment)
    }

    private static func checkAddress(_ address: Substring, isForApp: Bool) throws(XFTPWireError) {
        let lowercase = address.lowercased()
        let isWeb = lowercase.hasPrefix("https://") || lowercase.hasPrefix("http://")
        guard isWeb || lowercase.hasPrefix("simplex:") else {
            throw XFTPWireError.link("it starts with neither simplex:/file nor https://")
        }
        guard isForApp else {
            if isWeb { return }
            throw XFTPWireError.link("no /? after #")
        }
        let path = address.hasSuffix("/") ? address.dropLast() : address
        guard path.hasSuffix("/file"), isWeb || path.lowercased() == "simplex:/file" else {
            throw XFTPWireError(
                .damaged, "not a file link: no /file before #")
        }
    }
}
