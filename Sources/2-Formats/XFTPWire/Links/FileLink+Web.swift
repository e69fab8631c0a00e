import ValiseEncoding
package import ValiseSecrets

extension FileLink {
    /// The page of relays takes no shorter fragment.
    static let shortestFragment = 51

    /// `https://<host>/#<packed description>`, for browsers: the page comes from the relay of the first chunk. ``data``
    /// cannot travel with it.
    ///
    /// - Parameter path: of the page; that of a relay itself is `/file/`.
    /// - Throws: as ``FileDescription/yaml()``.
    package func webLink(path: String = "/") throws -> SecretBytes {
        let packed = try DeflatedText.pack(description.yaml())
        return try SecretText.make { text in
            text.append("https://\(webHost)\(path)#")
            unsafe packed.withBytes { unsafe text.appendBase64($0) }
        }
    }

    private var webHost: String {
        // Every chunk has a replica: the link was made of a consistent description.
        description.chunks.first?.replicas.first?.server.host(throughProxy: false).bracketedText ?? ""
    }

    static func read(fragment: UnsafeRawBufferPointer) throws -> FileLink {
        guard fragment.count >= shortestFragment else {
            throw XFTPWireError.link("the part after # is too short")
        }
        let packed = try unsafe SecretBytes(capacity: fragment.count) { memory in
            guard let count = unsafe Base64URL.decode(fragment, into: memory) else {
                throw XFTPWireError.link("the part after # is not base64url")
            }
            return count
        }
        return try FileLink(reading: FileDescription(yaml: DeflatedText.unpack(packed)), data: nil)
    }
}
