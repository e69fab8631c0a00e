/// What a store noted as received: also messages that it no longer has. It has 16 bytes for each record.
struct SeenRecords {
    /// In order.
    private var digests: [MergeDigest] = []

    init() {}

    init(of store: any SessionStore, damaged: (SessionStoreError) throws -> Void) throws {
        try store.forEachSeenMessage(damaged: damaged) { record in
            digests.append(Self.digest(record.identifier, in: record.conversation))
        }
        digests.sort()
    }

    /// Whether there is a record of a message.
    func contain(_ identity: SessionIdentity, in conversation: String) -> Bool {
        let wanted = Self.digest(identity.text, in: conversation)
        var (low, high) = (0, digests.count)
        while low < high {
            let middle = low + (high - low) / 2
            if digests[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low < digests.count && digests[low] == wanted
    }

    /// Numbers are those of a community; hashes are the same nowhere else, and old records do not name their conversation.
    private static func digest(_ identifier: String, in conversation: String?) -> MergeDigest {
        let isNumber = !identifier.isEmpty && identifier.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return MergeDigest(isNumber ? [conversation ?? "", identifier] : [identifier])
    }
}
