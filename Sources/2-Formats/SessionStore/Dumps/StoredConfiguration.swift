package import ValiseEncoding
package import ValiseSecrets

/// A dump as a store has it, with what it is of: its bytes, and what is understood of them.
package struct StoredConfiguration: Sendable {
    /// Which state it is of.
    package let identity: SessionConfigDump
    /// Nil for one that is not known by its name.
    package let kind: ConfigKind?
    /// As it was stored.
    package let raw: SharedSecret
    /// All of it, decoded; nil where it cannot be.
    package let tree: BencodeValue?
    /// The configuration within it; nil where there is none, or where it cannot be read.
    package let message: ConfigMessage?
    /// Why it cannot be decoded; nil where it was.
    package let problem: SessionStoreError?

    /// - Throws: `SecretsError` when no guarded memory is available.
    package init(_ identity: SessionConfigDump, _ bytes: UnsafeRawBufferPointer) throws {
        self.identity = identity
        kind = ConfigKind(named: identity.variant)
        raw = SharedSecret(try unsafe SecretBytes(copying: bytes))
        do throws(SessionStoreError) {
            if let kind {
                let dump = try ConfigDump(parsing: raw, as: kind)
                (tree, message, problem) = (.dictionary(dump.tree), dump.message, dump.problem)
            } else {
                (tree, message, problem) = (try BencodeValue(parsing: raw), nil, nil)
            }
        } catch {
            (tree, message, problem) = (nil, nil, error)
        }
    }

    /// What is shown of it: names, the configuration where there is one, and all of the dump.
    package func json(_ view: ConfigView = ConfigView()) -> JSONNode {
        let members: [(String, JSONNode?)] = [
            ("type", .text("sessionConfiguration")), ("variant", .text(identity.variant)),
            ("owner", .text(identity.owner)), ("timestampMs", identity.timestamp.map { .number("\($0)") }),
            ("kind", kind.map { .text($0.rawValue) }), ("configuration", message.map { view.json($0.tree) }),
            ("dump", tree.map { view.json($0) }), ("problem", problem.map { .text($0.message) }),
        ]
        return .object(members.compactMap { name, node in node.map { JSONNode.Member(name, $0) } })
    }
}

extension SessionStore {
    /// All configurations, decoded.
    /// - Throws: ``SessionStoreError``; `SecretsError`; whatever `body` throws.
    package func forEachConfiguration(_ body: (StoredConfiguration) throws -> Void) throws {
        try unsafe forEachConfigDump { identity, bytes in
            try body(try unsafe StoredConfiguration(identity, bytes))
        }
    }
}
