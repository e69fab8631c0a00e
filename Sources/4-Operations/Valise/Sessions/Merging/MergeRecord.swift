import SystemPackage
import ValiseChatLog
import ValiseEncoding
import ValiseFiles
import ValiseSessionStore

/// Writes `merge.jsonl`: from which store what came, and where they contradict each other.
///
/// The header comes first, then what was found in the order of the messages, then a line for each chat.
final class MergeRecord {
    static let name = "merge.jsonl"
    private static let version = "1"

    private let output: LineOutput
    private let stores: [MergedStoreReport]
    /// Messages whose time was over by then are not in the export, and nothing is told of them; nil for none.
    private let expiredSince: UTCTime?
    private var tallies: [String: MergeTally] = [:]
    private var conflicts: [String: Int] = [:]

    /// - Parameters:
    ///   - folder: of the export.
    ///   - stores: in their order.
    ///   - expiredSince: by which messages are left out; nil where none is.
    ///   - fileSystem: where it is written.
    /// - Throws: `FileError`.
    init(
        _ folder: FilePath, _ stores: [MergedStoreReport], expiredSince: UTCTime?, fileSystem: FileSystem
    ) throws {
        output = try LineOutput(folder.appending(Self.name), fileSystem)
        self.stores = stores
        self.expiredSince = expiredSince
        try write(
            "sessionMerge",
            [
                .init("version", .number(Self.version)),
                .init(
                    "stores",
                    .array(
                        stores.map { store in
                            .object([
                                .init("number", .number(String(store.number))),
                                .init("kind", .text(store.kind.rawValue)), .init("name", .text(store.name)),
                                .init("messages", .number(String(store.messages))),
                            ])
                        })),
            ])
    }

    /// - Throws: `FileError`.
    func add(_ finding: MergeFinding) throws {
        switch finding {
        case .message(let merged): try add(merged)
        case .doubt(let doubt): try add(doubt)
        }
    }

    private func isLeftOut(_ message: SessionMessage) -> Bool {
        expiredSince.map { message.isExpired(at: $0) } ?? false
    }

    private func add(_ merged: MergedMessage) throws {
        let key = SessionLog.key(of: merged.message.conversation)
        guard !isLeftOut(merged.message) else {
            tallies[key, default: MergeTally(stores.count)].expired += 1
            return
        }
        tallies[key, default: MergeTally(stores.count)].add(merged)
        let place: [JSONNode.Member] = [.init("chat", .text(key))] + Self.place(of: merged.message)
        for conflict in merged.conflicts {
            conflicts[conflict.field.rawValue, default: 0] += 1
            let values = conflict.values.map { value in
                JSONNode.object([.init("store", Self.number(value.store + 1)), .init("value", value.value)])
            }
            try write(
                "mergeConflict",
                place + [
                    .init("field", .text(conflict.field.rawValue)), .init("values", .array(values)),
                    .init("taken", conflict.taken),
                ])
        }
        guard !merged.removedFrom.isEmpty else { return }
        try write("mergeRemoved", place + [.init("stores", Self.numbers(merged.removedFrom))])
    }

    private func add(_ doubt: MergeDoubt) throws {
        guard !isLeftOut(doubt.first.message), !isLeftOut(doubt.second.message) else { return }
        let key = SessionLog.key(of: doubt.first.message.conversation)
        tallies[key, default: MergeTally(stores.count)].doubts += 1
        let sides = [doubt.first, doubt.second].map { side in
            JSONNode.object(Self.place(of: side.message) + [.init("stores", Self.numbers(side.stores))])
        }
        try write("mergeDoubt", [.init("chat", .text(key)), .init("messages", .array(sides))])
    }

    private static func number(_ number: Int) -> JSONNode { .number(String(number)) }

    private static func numbers(_ stores: [Int]) -> JSONNode { .array(stores.map { number($0 + 1) }) }

    /// By what the item is found in the export.
    private static func place(of message: SessionMessage) -> [JSONNode.Member] {
        let row: JSONNode.Member = .init("row", .number(String(message.row)))
        guard let time = message.time else { return [row] }
        return [row, .init("time", .text(ItemTime(time.text).jsonText))]
    }

    private func write(_ type: String, _ members: [JSONNode.Member]) throws {
        let line = JSONNode.object([.init("type", .text(type))] + members).jsonText
        try output.write(Array(line.utf8) + [0x0A])
    }

    /// Writes what was counted, and makes the file durable.
    /// - Parameter chats: their keys, in the order of the export.
    /// - Throws: `FileError`.
    func finish(_ chats: [String]) throws -> MergeCounts {
        var total = MergeTally(stores.count)
        for key in chats {
            let tally = tallies[key] ?? MergeTally(stores.count)
            total.add(tally)
            try write("mergedChat", [.init("chat", .text(key))] + tally.members)
        }
        try output.finish()
        return MergeCounts(stores: stores, total: total, conflicts: conflicts)
    }
}

/// What was found, in numbers.
struct MergeCounts {
    let stores: [MergedStoreReport]
    let total: MergeTally
    /// By what differs.
    let conflicts: [String: Int]
}

/// What was found in a chat, in numbers.
struct MergeTally {
    var messages: Int64 = 0
    /// In several stores.
    var shared: Int64 = 0
    /// Copies of messages that a store has several times.
    var repeated: Int64 = 0
    var conflicts: Int64 = 0
    var removed: Int64 = 0
    var doubts: Int64 = 0
    var expired: Int64 = 0
    /// Of each store: how many it has, and how many no other one has.
    var stores: [(messages: Int64, only: Int64)]

    init(_ count: Int) { stores = Array(repeating: (0, 0), count: count) }

    mutating func add(_ merged: MergedMessage) {
        messages += 1
        if merged.stores.count > 1 { shared += 1 }
        repeated += Int64(merged.repeated)
        conflicts += Int64(merged.conflicts.count)
        if !merged.removedFrom.isEmpty { removed += 1 }
        for store in merged.stores {
            stores[store].messages += 1
            if merged.stores.count == 1 { stores[store].only += 1 }
        }
    }

    mutating func add(_ other: MergeTally) {
        messages += other.messages
        shared += other.shared
        repeated += other.repeated
        conflicts += other.conflicts
        removed += other.removed
        doubts += other.doubts
        expired += other.expired
        for (index, store) in other.stores.enumerated() {
            stores[index].messages += store.messages
            stores[index].only += store.only
        }
    }

    var members: [JSONNode.Member] {
        func member(_ key: String, _ number: Int64) -> JSONNode.Member {
            .init(key, .number(String(number)))
        }
        let each = stores.enumerated().map { index, store in
            JSONNode.object([
                member("number", Int64(index + 1)), member("messages", store.messages),
                member("only", store.only),
            ])
        }
        return [
            member("messages", messages), member("shared", shared), member("repeated", repeated),
            member("conflicts", conflicts), member("removed", removed), member("doubts", doubts),
            member("expired", expired), .init("stores", .array(each)),
        ]
    }
}
