import SystemPackage
import ValiseDatabase
import ValiseEncoding
import ValiseSecrets

/// Desktop's table of single values: each row is a name and a JSON document, with the value under `value`. Among them are the
/// account's keys and its recovery words: a value is only read by who knows what it is.
struct DesktopItems {
    let tables: SessionTables

    private static let table = "items"
    private static let attachmentKey = "local_attachment_encrypted_key"
    private static let words = "mnemonic"
    private static let blocked = "blocked"
    /// Where the own ID is, and in older versions with the number of a device behind it.
    private static let ownIDs = ["primaryDevicePubKey", "number_id"]

    /// In bytes; a list of blocked contacts is the longest.
    private static let largest = 4 << 20

    private var isThere: Bool {
        tables.has("id", in: Self.table) && tables.has("json", in: Self.table)
    }

    /// The key of the files of attachments; nil where there is none.
    /// - Throws: ``SessionStoreError`` with `damaged`; `DatabaseError`; `SecretsError`.
    func attachmentKey(_ connection: borrowing Connection) throws -> SecretSeed? {
        guard let bytes = try secret(Self.attachmentKey, connection) else { return nil }
        guard let document = MaskedDocument(bytes), let key = try document.key(document.node["value"]) else {
            throw damaged(Self.attachmentKey, connection)
        }
        return try unsafe key.withBytes { try unsafe SecretSeed(copying: $0) }
    }

    /// The account's recovery password, whose words are stored as they are; nil where there is none.
    /// - Throws: ``SessionStoreError`` with `damaged`; ``RecoveryPasswordError``; `DatabaseError`; `SecretsError`.
    func recoveryPassword(_ connection: borrowing Connection) throws -> RecoveryPassword? {
        guard let document = try secret(Self.words, connection) else { return nil }
        guard let text = try ItemText(ofValueIn: document) else { throw damaged(Self.words, connection) }
        return try RecoveryPassword.read(text.bytes).password
    }

    /// The account's own Session ID; nil where it is not stored.
    /// - Throws: `DatabaseError`; ``SessionStoreError`` with `damaged`.
    func ownID(_ connection: borrowing Connection) throws -> String? {
        for name in Self.ownIDs {
            guard let value = try value(name, connection) else { continue }
            guard let text = value.textValue else { throw damaged(name, connection) }
            return String(text.prefix { $0 != "." })
        }
        return nil
    }

    /// Who is blocked; nil where that is not stored.
    /// - Throws: `DatabaseError`; ``SessionStoreError`` with `damaged`.
    func blocked(_ connection: borrowing Connection) throws -> Set<String>? {
        guard let value = try value(Self.blocked, connection) else { return nil }
        guard let elements = value.arrayValue else { throw damaged(Self.blocked, connection) }
        return Set(elements.compactMap(\.textValue))
    }

    /// A value that is no secret.
    private func value(_ name: String, _ connection: borrowing Connection) throws -> JSONNode? {
        guard let bytes = try secret(name, connection) else { return nil }
        guard let node = unsafe bytes.withBytes({ unsafe JSONNode(parsing: [UInt8]($0)) }) else {
            throw damaged(name, connection)
        }
        return node["value"] == .null ? nil : node["value"]
    }

    private func secret(_ name: String, _ connection: borrowing Connection) throws -> SecretBytes? {
        guard isThere else { return nil }
        let rows = try connection.prepare("SELECT json FROM items WHERE id = ?")
        try rows.bind([.text(name)])
        guard try rows.step() else { return nil }
        let size = unsafe rows.withBytes(0) { $0.count }
        guard size <= Self.largest else { throw damaged(name, connection) }
        return try unsafe SecretBytes(capacity: size) { memory in
            unsafe rows.withBytes(0) { unsafe memory.copyMemory(from: $0) }
            return size
        }
    }

    private func damaged(_ name: String, _ connection: borrowing Connection) -> SessionStoreError {
        SessionStoreError(.damaged, "item \(name) is damaged", connection.path.string)
    }
}
