import SystemPackage
import ValiseEncoding
import ValiseFiles
import ValiseSecrets

/// What `config.json` of a Desktop profile says of its database.
struct DesktopConfiguration: ~Copyable {
    /// 32 bytes, as they are there unencrypted; nil for none.
    let key: SecretBytes?
    /// Whether the database is encrypted with a password that the user chose.
    let hasPassword: Bool

    /// In bytes. The app's own has some hundred.
    private static let largest: Int64 = 64 << 10

    /// - Throws: ``SessionStoreError``: `missing`; `damaged` for anything but an object whose fields are of their kinds;
    ///   `FileError`; `SecretsError`.
    static func read(_ path: FilePath, _ fileSystem: FileSystem) throws -> DesktopConfiguration {
        guard try fileSystem.exists(path) else {
            throw SessionStoreError(.missing, "no configuration of Session Desktop", path.string)
        }
        let source = try FileSource(path, fileSystem: fileSystem)
        guard source.size <= largest else { throw damaged("is too large", path) }
        let bytes = try unsafe SecretBytes(capacity: Int(source.size)) { memory in
            try unsafe source.fill(memory, at: 0)
            return memory.count
        }
        guard let document = MaskedDocument(bytes), case .object = document.node else {
            throw damaged("is no JSON object", path)
        }
        return DesktopConfiguration(
            key: try key(document, path), hasPassword: try flag(document.node["dbHasPassword"], path))
    }

    private static func flag(_ node: JSONNode?, _ path: FilePath) throws -> Bool {
        switch node {
        case nil, .null: false
        case .bool(let value): value
        default: throw damaged("does not say whether there is a password", path)
        }
    }

    private static func key(
        _ document: borrowing MaskedDocument, _ path: FilePath
    ) throws -> SecretBytes? {
        let node = document.node["key"]
        if node == nil || node == .null || node == .text("") { return nil }
        guard let key = try document.key(node) else {
            throw damaged("has a key that is not 64 hexadecimal digits", path)
        }
        return key
    }

    private static func damaged(_ what: String, _ path: FilePath) -> SessionStoreError {
        SessionStoreError(.damaged, "the configuration of Session Desktop \(what)", path.string)
    }
}
