import ValiseEncoding
package import ValiseSecrets

extension BencodeValue {
    /// Reads a document of one value, which has one form only: numbers and lengths without zeros at their front, no negative
    /// zero, the keys of a dictionary in the order of their bytes and each once, nothing behind the value.
    ///
    /// - Parameters:
    ///   - document: stays in guarded memory as long as a part of the value is used.
    ///   - limits: of what is read.
    /// - Throws: ``SessionStoreError``: `damaged` for anything else, `unsupported` for what exceeds a limit.
    package init(
        parsing document: SharedSecret, limits: BencodeLimits = BencodeLimits()
    ) throws(SessionStoreError) {
        try self.init(parsing: BencodeBytes(document, 0..<document.bytes.count), limits: limits)
    }

    /// Reads a document within a document, such as the configuration in a dump.
    /// - Throws: as ``init(parsing:limits:)``.
    package init(
        parsing document: BencodeBytes, limits: BencodeLimits = BencodeLimits()
    ) throws(SessionStoreError) {
        guard document.count <= limits.size else {
            throw SessionStoreError(
                .unsupported, "bt-encoded content exceeds the limit of \(Count.bytes(Int64(limits.size)))")
        }
        var result: Result<BencodeValue, SessionStoreError>?
        unsafe document.withBytes { bytes in
            var reader = unsafe BencodeReader(bytes, document, limits)
            result = Result { () throws(SessionStoreError) in try reader.document() }
        }
        guard let result else { throw SessionStoreError(.failed, "bt-encoded content was not read") }
        self = try result.get()
    }
}
