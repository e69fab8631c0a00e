import CValiseSodium
package import ValiseEncoding
package import ValiseSecrets

/// A file of the folder `keys`: the master key, sealed under a password (section 2 of the fact sheet). A repository has one for
/// each password.
///
/// It is not encrypted itself, and whoever stores the repository can read it: so names of users and machines are neutral words,
/// unless the user wants others.
package struct KeyFile: Hashable, Sendable {
    /// As it was written, such as `2026-11-23T09:23:34.96619625Z`; nil where it is missing.
    package let created: String?
    package let username: String?
    package let hostname: String?
    package let parameters: ScryptParameters
    package let salt: [UInt8]
    /// The master key's JSON, sealed.
    package let data: [UInt8]

    /// In bytes; restic refuses any other.
    package static let saltSize = 64
    /// Those of other programs have some 500 bytes.
    package static let largest = 64 << 10
    package static let neutralUser = "user"
    package static let neutralHost = "host"
    private static let derivation = "scrypt"

    /// Seals a master key under a password.
    ///
    /// - Parameters:
    ///   - parameters: see ``ScryptParameters/calibrated(to:measuring:)``.
    ///   - created: now.
    /// - Throws: ``RepositoryError``: `failed`; `SecretsError`.
    package static func make(
        for master: MasterKey, password: borrowing SecretBytes, _ parameters: ScryptParameters,
        created: UTCTime = .now, username: String = neutralUser, hostname: String = neutralHost
    ) throws -> KeyFile {
        var salt = [UInt8](repeating: 0, count: saltSize)
        let text = try MasterKeyText.encode(master)
        unsafe salt.withUnsafeMutableBytes { unsafe randombytes_buf($0.baseAddress!, $0.count) }
        var context = try SealingContext(parameters.key(password, salt: salt))
        var data = [UInt8](repeating: 0, count: text.count + SealingContext.overhead)
        try unsafe text.withBytes { plain in
            try unsafe data.withUnsafeMutableBytes { try unsafe context.seal(plain, into: $0) }
        }
        return KeyFile(
            created: created.isoText, username: username, hostname: hostname, parameters: parameters,
            salt: salt, data: data)
    }

    /// The master key.
    /// - Parameter password: UTF-8 as it was typed.
    /// - Throws: ``RepositoryError``: `wrongPassword`; `damaged`; `failed`; `SecretsError`.
    package func unlock(_ password: borrowing SecretBytes) throws -> MasterKey {
        var context = try SealingContext(parameters.key(password, salt: salt))
        let text = try unsafe data.withUnsafeBytes { sealed in
            guard try unsafe context.isAuthentic(sealed) else {
                throw RepositoryError(.wrongPassword, "wrong password")
            }
            return unsafe SharedSecret(
                try SecretBytes(capacity: sealed.count - SealingContext.overhead) { plain in
                    try unsafe context.open(sealed, into: plain)
                    return plain.count
                })
        }
        return try MasterKeyText.decode(text.bytes)
    }
}

// MARK: The file

extension KeyFile {
    /// Reads a key file of any program: what it need not have may be missing, and what is unknown is ignored.
    /// - Throws: ``RepositoryError``: `damaged`; `unsupported` for another derivation, and for one that would take too long.
    package init(decoding json: [UInt8]) throws(RepositoryError) {
        guard json.count <= Self.largest, let node = JSONNode(parsing: json), node.objectValue != nil else {
            throw RepositoryError(.damaged, "not a key file")
        }
        guard let derivation = node["kdf"]?.textValue else { throw Self.lacks("kdf") }
        guard derivation == Self.derivation else {
            throw RepositoryError(.unsupported, "unknown key derivation")
        }
        guard let n = node["N"]?.integerValue, let r = node["r"]?.integerValue,
            let p = node["p"]?.integerValue
        else { throw Self.lacks("N, r, p") }
        let parameters = try ScryptParameters(n: n, r: r, p: p)
        let salt = try Self.bytes(node, "salt")
        guard salt.count == Self.saltSize else {
            throw RepositoryError(
                .damaged, "wrong salt length: expected \(Self.saltSize), got \(salt.count)")
        }
        self.init(
            created: node["created"]?.textValue, username: node["username"]?.textValue,
            hostname: node["hostname"]?.textValue, parameters: parameters, salt: salt,
            data: try Self.bytes(node, "data"))
    }

    private static func lacks(_ field: String) -> RepositoryError {
        RepositoryError(.damaged, "the key file has an invalid or missing field (\(field))")
    }

    private static func bytes(_ node: JSONNode, _ field: String) throws(RepositoryError) -> [UInt8] {
        guard let text = node[field]?.textValue, let bytes = StandardBase64.decode(text) else {
            throw lacks(field)
        }
        return bytes
    }

    /// What is stored: one line without an end, fields in the order of restic's.
    package func encode() -> [UInt8] {
        let names = [("created", created), ("username", username), ("hostname", hostname)]
        var members = names.compactMap { name, value in value.map { JSONNode.Member(name, .text($0)) } }
        members.append(JSONNode.Member("kdf", .text(Self.derivation)))
        for (name, value) in [("N", parameters.n), ("r", parameters.r), ("p", parameters.p)] {
            members.append(JSONNode.Member(name, .number(String(value))))
        }
        members.append(JSONNode.Member("salt", .text(Base64.encode(salt))))
        members.append(JSONNode.Member("data", .text(Base64.encode(data))))
        var json: [UInt8] = []
        JSONNode.object(members).write(to: &json)
        return json
    }
}
