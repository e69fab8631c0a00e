package import SystemPackage
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

/// Several stores of one account as one: each message once, with what any of the devices knew of it.
///
/// The same message is one of the same hash of the swarm, or of the same community and number. What has neither is the same
/// where author, kind, time and text are. The result does not depend on the order of the stores, but for which of two equal files
/// is read.
///
/// Messages are lent one at a time. For the order, digests of the messages of one conversation are kept (see `MergeIndex`), and
/// 16 bytes for each record of what was received. Each message is read twice, or three times with ``conversations(damaged:)``.
package final class MergedStore: SessionStore {
    private let parts: [Part]
    package let ownID: String?
    private var seen: [SeenRecords]?
    /// The merged conversations with the IDs that the parts have for them; nil until they are asked for.
    private var known: [Merged]?

    /// What is merged is told to this, in the order of the messages; throw to stop.
    package var found: ((MergeFinding) throws -> Void)?
    private var watch: (Int64) throws -> Void = { _ in }

    /// A store with what errors call it.
    package struct Part {
        package let store: any SessionStore
        package let name: String

        package init(_ store: any SessionStore, name: String) { (self.store, self.name) = (store, name) }
    }

    private struct Merged {
        let conversation: SessionConversation
        /// By the number of the store; none where one does not have it, several where it has a community under several
        /// forms of its address.
        let ids: [[String]]
        /// How many messages several stores have.
        let shared: Int64
    }

    /// More stores than a byte can number are nobody's.
    private static let mostParts = 200

    /// - Throws: ``SessionStoreError`` with `invalid` for stores of different accounts, and for too many.
    package init(_ parts: [Part]) throws {
        guard parts.count <= Self.mostParts else {
            throw SessionStoreError(.invalid, "there are too many stores: \(parts.count)")
        }
        let owners = parts.compactMap { part in part.store.ownID.map { (id: $0, name: part.name) } }
        if let first = owners.first, let other = owners.first(where: { $0.id != first.id }) {
            throw SessionStoreError(
                .invalid,
                "the stores belong to different accounts: \(Self.short(first.id)) in \(first.name), \(Self.short(other.id))",
                other.name)
        }
        self.parts = parts
        ownID = owners.first?.id
    }

    /// Enough of an ID to tell it from others.
    private static func short(_ id: String) -> String {
        id.count > 16 ? "\(id.prefix(8))…\(id.suffix(4))" : id
    }

    /// Runs what reads messages.
    ///
    /// - Parameters:
    ///   - watch: gets the number of messages that were read since it was called last; throw to stop.
    ///   - body: reads them.
    package func watched<Value>(
        by watch: (Int64) throws -> Void, _ body: () throws -> Value
    ) throws -> Value {
        try withoutActuallyEscaping(watch) { watch in
            self.watch = watch
            defer { self.watch = { _ in } }
            return try body()
        }
    }

    /// The stores that are merged.
    package var stores: [any SessionStore] { parts.map(\.store) }

    /// Where the file of an attachment is, of which somebody kept only the path.
    /// - Returns: the number of the store, from 0, and the path in that one; nil for what is no path of a merged store.
    package static func origin(of path: String) -> (store: Int, path: String)? {
        MergedPath.split(FilePath(path)).map { ($0.store, $0.path.string) }
    }

    package var warnings: [SessionWarning] { parts.flatMap(\.store.warnings) }

    /// Of the first one: there is none of all.
    package var version: SessionSchemaVersion { parts.first?.store.version ?? SessionSchemaVersion() }

    package func recoveryPassword() throws -> RecoveryPassword? {
        for part in parts {
            if let password = try part.store.recoveryPassword() { return password }
        }
        return nil
    }

    /// Of the first one: files are in the folders of all.
    package var attachments: FilePath { parts.first?.store.attachments ?? "" }

    package func content(of attachment: SessionAttachment) throws -> any ByteSource {
        guard case .file(let path, let form) = attachment.place, let (store, rest) = MergedPath.split(path),
            parts.indices.contains(store)
        else {
            throw SessionStoreError(.missing, "the attachment was not received", attachment.fileName)
        }
        return try parts[store].store.content(of: attachment.with(place: .file(rest, form)))
    }

    /// Nil: each store has its own.
    package func attachmentKey() -> SecretSeed? { nil }

    // MARK: Contacts and conversations

    package func forEachContact(
        damaged: (SessionStoreError) throws -> Void, _ body: (SessionContact) throws -> Void
    ) throws {
        var contacts: [String: [SessionContact]] = [:]
        for part in parts {
            try part.store.forEachContact(damaged: { try damaged($0.within(part.name)) }) { contact in
                contacts[contact.id, default: []].append(contact)
            }
        }
        for (_, copies) in contacts.sorted(by: { $0.key < $1.key }) {
            try body(MergedPeople.contact(copies))
        }
    }

    /// Counts the messages of all in any case, for which it reads them.
    package func conversations(
        counts: Bool, damaged: (SessionStoreError) throws -> Void
    ) throws -> [SessionConversation] {
        try merged(damaged).map(\.conversation)
    }

    /// How many messages several stores have, of all conversations.
    /// - Throws: as ``conversations(damaged:)``.
    package func sharedMessages() throws -> Int64 { try merged({ _ in }).reduce(0) { $0 + $1.shared } }

    private func merged(_ damaged: (SessionStoreError) throws -> Void) throws -> [Merged] {
        if let known { return known }
        var found: [String: [(store: Int, conversation: SessionConversation)]] = [:]
        for (store, part) in parts.enumerated() {
            for one in try part.store.conversations(damaged: { try damaged($0.within(part.name)) }) {
                found[CommunityAddress.comparable(one.id), default: []].append((store, one))
            }
        }
        var all: [Merged] = []
        for (_, copies) in found.sorted(by: { $0.key < $1.key }) {
            var ids = [[String]](repeating: [], count: parts.count)
            for copy in copies { ids[copy.store].append(copy.conversation.id) }
            let index = try index(of: ids, damaged: { _ in })
            let merged = MergedPeople.conversation(
                copies.map(\.conversation), messages: Int64(index.count), unread: index.unread)
            all.append(Merged(conversation: merged, ids: ids, shared: index.shared))
        }
        all.sort { SessionConversation.wasUsedLater($0.conversation, $1.conversation) }
        known = all
        return all
    }

    // MARK: Messages

    /// How many messages are read before they are counted.
    private static let watched: Int64 = 256

    private func index(
        of ids: [[String]], damaged: (SessionStoreError) throws -> Void
    ) throws -> MergeIndex {
        var index = MergeIndex(ownID: ownID)
        var count: Int64 = 0
        for (part, (store, ids)) in zip(parts, ids.enumerated()) {
            for (place, id) in ids.enumerated() {
                try part.store.forEachMessage(
                    of: id, newest: nil, damaged: { try damaged($0.within(part.name)) },
                    { message in
                        index.add(message, of: store, under: place)
                        count += 1
                        if count % Self.watched == 0 { try watch(Self.watched) }
                    })
            }
        }
        try watch(count % Self.watched)
        index.finish()
        return index
    }

    package func forEachMessage(
        of conversation: String, _ choice: MessageChoice, damaged: (SessionStoreError) throws -> Void,
        _ body: (SessionMessage) throws -> Void
    ) throws {
        guard let merged = try merged({ _ in }).first(where: { $0.conversation.id == conversation }) else {
            return
        }
        let index = try index(of: merged.ids, damaged: damaged)
        let records = try seenRecords()
        var doubts = MergeDoubts(ownID: ownID)
        // Rows are those of single stores.
        guard let start = start(of: choice, index.count) else { return }
        for position in start..<index.count {
            guard let one = try message(index[position], merged, records, damaged) else { continue }
            if let found {
                try found(.message(one))
                try doubts.add(one) { try found(.doubt($0)) }
            }
            try body(one.message)
        }
    }

    private func start(of choice: MessageChoice, _ count: Int) -> Int? {
        switch choice {
        case .all: 0
        case .newest(let newest): max(0, count - Int(clamping: max(0, newest)))
        case .rows: nil
        }
    }

    /// - Returns: nil where none of its copies can be read any more.
    private func message(
        _ place: MergeIndex.Place, _ merged: Merged, _ records: [SeenRecords],
        _ damaged: (SessionStoreError) throws -> Void
    ) throws -> MergedMessage? {
        var copies: [MessageCopy] = []
        for (store, id, row) in place.copies {
            let part = parts[store]
            do {
                guard let message = try part.store.message(row: row, of: merged.ids[store][id]) else {
                    continue
                }
                copies.append(
                    MessageCopy(
                        message: message.merged(from: store, into: merged.conversation.id), store: store))
            } catch let error as SessionStoreError where error.kind == .damaged {
                try damaged(error.within(part.name))
            }
        }
        guard !copies.isEmpty else { return nil }
        var merge = MessageMerge(copies) { attachment in
            (try? self.content(of: attachment)) != nil
        }
        let message = merge.message(number: place.number, in: merged.conversation.id)
        let stores = Set(copies.map(\.store)).sorted()
        return MergedMessage(
            message: message, stores: stores, repeated: copies.count - stores.count,
            conflicts: merge.conflicts,
            removedFrom: removed(message, merged, records, stores))
    }

    /// Which stores know that they once had a message.
    private func removed(
        _ message: SessionMessage, _ merged: Merged, _ records: [SeenRecords], _ stores: [Int]
    ) -> [Int] {
        guard let identity = message.identity else { return [] }
        return parts.indices.filter { store in
            guard !stores.contains(store) else { return false }
            let ids = merged.ids[store].isEmpty ? [message.conversation] : merged.ids[store]
            return ids.contains { records[store].contain(identity, in: $0) }
        }
    }

    /// Loads them, once. Those that cannot be read are none.
    private func seenRecords() throws -> [SeenRecords] {
        if let seen { return seen }
        let records = try parts.map { try SeenRecords(of: $0.store, damaged: { _ in }) }
        seen = records
        return records
    }

    package func message(row: Int64, of conversation: String) -> SessionMessage? { nil }

    /// Nil: rows are those of single stores.
    package func conversation(ofMessage row: Int64) -> String? { nil }

    package func messageRows() -> ClosedRange<Int64>? { nil }

    package func forEachGlance(in rows: ClosedRange<Int64>, _ body: (MessageGlance) throws -> Void) {}

    // MARK: Records

    package func forEachSeenMessage(
        damaged: (SessionStoreError) throws -> Void, _ body: (SessionSeenMessage) throws -> Void
    ) throws {
        for part in parts {
            try part.store.forEachSeenMessage(damaged: { try damaged($0.within(part.name)) }, body)
        }
    }

    package func forEachConfigDump(
        _ body: (SessionConfigDump, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        for part in parts { try unsafe part.store.forEachConfigDump(body) }
    }
}

extension SessionStoreError {
    /// The same failure, with the name of the store.
    fileprivate func within(_ store: String) -> SessionStoreError {
        SessionStoreError(kind, message, subject.map { "\(store): \($0)" } ?? store, cause: cause)
    }
}
