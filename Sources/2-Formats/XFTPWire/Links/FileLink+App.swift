import ValiseFailures
public import ValiseSecrets

/// Where the link of the app leads to.
extension FileLink {
    private static let appScheme = "simplex:"

    /// The link as text: `simplex:/file#/?desc=…[&data=…]`.
    ///
    /// - Parameter host: nil, or one that has the app's page for links: `https://<host>/file#/?…` then. A port may follow.
    /// - Returns: as secret as the file is.
    /// - Throws: `XFTPWireError` for a description that contradicts itself; `SecretsError`.
    public func appLink(host: String? = nil) throws -> SecretBytes {
        let yaml = try description.yaml()
        return try SecretText.make { text in
            text.append(host.map { "https://\($0)" } ?? Self.appScheme)
            text.append("/file#/?desc=")
            unsafe yaml.withBytes { unsafe text.appendPercentEncoded($0) }
            if let data {
                text.append("&data=")
                unsafe Array(data.utf8).withUnsafeBytes { unsafe text.appendPercentEncoded($0) }
            }
        }
    }

    /// - Parameter query: what follows `#/?`.
    static func read(query: UnsafeRawBufferPointer) throws -> FileLink {
        var description: UnsafeRawBufferPointer?
        var data: UnsafeRawBufferPointer?
        let fields = unsafe query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true)
        for index in unsafe fields.indices {
            let field = unsafe fields[index]
            guard let sign = unsafe field.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = unsafe UnsafeRawBufferPointer(rebasing: field[(sign + 1)...])
            if unsafe field[..<sign].elementsEqual("desc".utf8) {
                guard unsafe description == nil else { throw XFTPWireError.link("two descriptions") }
                unsafe description = unsafe value
            } else if unsafe field[..<sign].elementsEqual("data".utf8) {
                guard unsafe data == nil else { throw XFTPWireError.link("data given twice") }
                unsafe data = unsafe value
            }
        }
        guard let description = unsafe description else { throw XFTPWireError.link("no description") }
        let yaml = try unsafe SecretBytes(capacity: description.count) {
            try unsafe PercentCoding.decode(description, into: $0)
        }
        return try unsafe FileLink(reading: FileDescription(yaml: yaml), data: data.map(Self.text))
    }

    private static func text(_ data: UnsafeRawBufferPointer) throws -> String {
        var bytes = [UInt8](repeating: 0, count: min(data.count, 3 * largestData))
        guard data.count <= 3 * largestData else { throw XFTPWireError.link("its data is too large") }
        let count = try unsafe bytes.withUnsafeMutableBytes {
            try unsafe PercentCoding.decode(data, into: $0)
        }
        guard count <= largestData, let text = String(validating: bytes[..<count], as: UTF8.self) else {
            throw XFTPWireError.link("its data is too large or not text")
        }
        return text
    }
}

extension XFTPWireError {
    /// - Parameter defect: never quotes the link.
    static func link(_ defect: String) -> XFTPWireError {
        XFTPWireError(.damaged, "invalid file link: \(defect)")
    }
}
