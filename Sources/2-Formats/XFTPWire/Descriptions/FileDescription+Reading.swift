import ValiseCryptography
import ValiseEncoding
import ValiseFailures
package import ValiseSecrets

extension FileDescription {
    /// The largest description that is read, in bytes.
    package static let largestYAML = YAMLReader.largestText
    /// The most chunks that a file can have here; one of 5 GiB has 1,281.
    package static let mostChunks = 1 << 16
    /// The most places that a chunk can be in; official programs write one.
    package static let mostReplicas = 16
    /// The most relays that a description is read with.
    package static let mostRelays = 256

    /// Reads a description in YAML. Private keys go straight to guarded memory; wipe `yaml` where it stays.
    ///
    /// - Throws: ``XFTPWireError``: `damaged` for a text that is no description or contradicts itself (fact sheet, §7.3);
    ///   `unsupported` for keys of another kind than Ed25519; `SecretsError` when no guarded memory is available.
    package init(yaml: [UInt8]) throws {
        self = try unsafe yaml.withUnsafeBytes { try unsafe FileDescription(yaml: $0) }
    }

    /// The same out of guarded memory.
    /// - Throws: as ``init(yaml:)``.
    package init(yaml: borrowing SecretBytes) throws {
        self = try unsafe yaml.withBytes { try unsafe FileDescription(yaml: $0) }
    }

    init(yaml text: UnsafeRawBufferPointer) throws {
        let root: YAMLNode
        do throws(YAMLFault) {
            root = try unsafe YAMLReader.read(text)
        } catch {
            throw XFTPWireError.description("not valid YAML: line \(error.line): \(error.reason)")
        }
        let fields = try unsafe DescriptionFields(root, of: text, in: "the description")
        let chunkSize = try fields.size("chunkSize")
        unsafe self.init(
            party: try Self.party(fields), size: try fields.size("size"),
            digest: try fields.bytes("digest", count: 64), key: try fields.seed("key"),
            nonce: SecretBox.nonce(from: try fields.bytes("nonce")), chunkSize: chunkSize,
            chunks: try ReplicaReader(text, defaultSize: chunkSize).chunks(of: fields.list("replicas")),
            redirect: try Self.redirect(fields, of: text))
        try checkConsistency()
    }

    private static func party(_ fields: DescriptionFields) throws -> Party {
        guard let party = Party(rawValue: try fields.text("party")) else {
            throw XFTPWireError.description("party is neither recipient nor sender")
        }
        return party
    }

    private static func redirect(
        _ fields: DescriptionFields, of text: UnsafeRawBufferPointer
    ) throws -> Redirect? {
        guard let node = fields.optional("redirect") else { return nil }
        let fields = try unsafe DescriptionFields(node, of: text, in: "redirect")
        return Redirect(size: try fields.size("size"), digest: try fields.bytes("digest", count: 64))
    }
}

extension XFTPWireError {
    /// - Parameter defect: never quotes a key.
    static func description(_ defect: String) -> XFTPWireError {
        XFTPWireError(.damaged, "invalid file description: \(defect)")
    }
}
