package import ValiseSecrets

/// What libsession keeps of one configuration in the database (fact sheet of Session, §6).
///
/// A dump is a copy of contacts, groups, blocked accounts and settings that can be merged. All bytes are kept, whatever is
/// understood of them. A field that the fact sheet does not name is in ``tree`` with its key as it is; nothing is guessed.
package struct ConfigDump: Sendable {
    /// The keys that the fact sheet names.
    private enum Key {
        static let state = "!"
        static let message = "$"
        static let currentHash = "("
        static let oldHashes = ")"
        static let extra = "+"
    }

    package let kind: ConfigKind
    /// As it was stored.
    package let raw: SharedSecret
    /// All of it, with what is not known.
    package let tree: BencodeDictionary
    package let state: Int64?
    /// The configuration; nil where there is none, or ``problem`` says why not.
    package let message: ConfigMessage?
    /// Why the configuration within the dump could not be read. The dump itself is intact.
    package let problem: SessionStoreError?
    /// By which the network knows the newest stored message; empty where none is stored.
    package let currentHashes: [BencodeBytes]
    /// Of messages that the newest one replaces.
    package let oldHashes: [BencodeBytes]
    package let extra: BencodeValue?
    /// What has another key, or another type than the fact sheet says.
    package let unknown: [BencodeDictionary.Entry]

    /// - Parameters:
    ///   - raw: the dump as it was stored.
    ///   - kind: what it is of.
    ///   - limits: of what is read.
    /// - Throws: ``SessionStoreError``: `damaged` for what is no dictionary of bt-encoding, `unsupported` for what exceeds a
    ///   limit.
    package init(
        parsing raw: SharedSecret, as kind: ConfigKind, limits: BencodeLimits = BencodeLimits()
    ) throws(SessionStoreError) {
        guard case .dictionary(let tree) = try BencodeValue(parsing: raw, limits: limits) else {
            throw SessionStoreError(.damaged, "a configuration dump is no dictionary")
        }
        (self.kind, self.raw, self.tree) = (kind, raw, tree)
        state = tree[Key.state]?.integerValue
        let content = tree[Key.message]?.bytesValue
        (message, problem) = Self.message(content, limits)
        let current = Self.hashes(tree[Key.currentHash])
        let old = Self.hashes(tree[Key.oldHashes])
        (currentHashes, oldHashes) = (current ?? [], old ?? [])
        extra = tree[Key.extra]
        let known = [
            Key.state: state != nil, Key.message: content != nil, Key.currentHash: current != nil,
            Key.oldHashes: old != nil, Key.extra: extra != nil,
        ]
        unknown = tree.entries.filter { known[String(decoding: $0.key, as: UTF8.self)] != true }
    }

    private static func message(
        _ content: BencodeBytes?, _ limits: BencodeLimits
    ) -> (ConfigMessage?, SessionStoreError?) {
        guard let content else { return (nil, nil) }
        do throws(SessionStoreError) {
            return (try ConfigMessage(parsing: content, limits: limits), nil)
        } catch {
            return (nil, error)
        }
    }

    /// One hash or a list of them; nil for anything else.
    private static func hashes(_ value: BencodeValue?) -> [BencodeBytes]? {
        switch value {
        case .bytes(let hash): return hash.count == 0 ? [] : [hash]
        case .list(let values):
            let hashes = values.compactMap(\.bytesValue)
            return hashes.count == values.count ? hashes : nil
        default: return nil
        }
    }
}
