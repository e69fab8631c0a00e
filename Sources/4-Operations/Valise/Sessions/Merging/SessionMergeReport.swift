import SystemPackage
import ValiseChatLog
import ValiseConcurrency
import ValiseEncoding
import ValiseSessionStore

/// A store that was merged.
package struct MergedStoreReport: Encodable, Sendable {
    /// By which `merge.jsonl` names it, from 1.
    package let number: Int
    package let kind: SessionPlace.Kind
    /// The last part of its path.
    package let name: String
    /// How many messages it has, those too that are left out.
    package let messages: Int64

    /// - Throws: `SessionStoreError`.
    static func all(_ access: MergedAccess, _ merged: MergedStore) throws -> [MergedStoreReport] {
        try zip(access.stores, merged.stores).enumerated().map { index, pair in
            let messages = try pair.1.conversations { _ in }.reduce(0) { $0 + $1.messages }
            return MergedStoreReport(
                number: index + 1, kind: pair.0.place.kind,
                name: pair.0.place.path.lastComponent?.string ?? "", messages: messages)
        }
    }
}

/// What a merge would write.
package struct SessionMergePlan: Encodable, Sendable {
    /// The folder.
    package let path: String
    package let stores: [MergedStoreReport]
    package let chats: Int
    /// How many messages there would be, those too that would be left out.
    package let messages: Int64
    /// How many of them several stores have.
    package let shared: Int64
}

/// What a merge wrote.
package struct SessionMergeReport: OperationReport {
    /// The folder.
    package internal(set) var path = ""
    package internal(set) var stores: [MergedStoreReport] = []
    package internal(set) var chats = 0
    package internal(set) var messages: Int64 = 0
    /// In several stores.
    package internal(set) var shared: Int64 = 0
    /// Copies of messages that a store had several times.
    package internal(set) var repeated: Int64 = 0
    /// Fields in which copies differ, by what differs.
    package internal(set) var conflicts: [String: Int] = [:]
    /// Messages that one store has, and that another one had and no longer has.
    package internal(set) var removed: Int64 = 0
    /// Pairs of messages that may be the same one.
    package internal(set) var doubts: Int64 = 0
    /// Messages left out because their time is over.
    package internal(set) var expired: Int64 = 0
    package internal(set) var copied = 0
    /// In bytes.
    package internal(set) var copiedSize: Int64 = 0
    /// Files whose content is in the export already, under another name.
    package internal(set) var duplicates = 0
    /// Files that are not there, by what is the matter.
    package internal(set) var media: [String: Int] = [:]
    /// What is wrong with messages that could not be read.
    package internal(set) var damaged: [String] = []
    /// What is wrong with files.
    package internal(set) var problems: [ConversationExportReport.Problem] = []

    package var hasEntryErrors: Bool { !damaged.isEmpty || !problems.isEmpty }
    package var entryFailures: [EntryFailure] {
        problems.map { EntryFailure($0.name, Remark($0.message, remedy: nil)) }
    }

    mutating func add(_ counts: MergeCounts) {
        stores = counts.stores
        messages = counts.total.messages
        shared = counts.total.shared
        repeated = counts.total.repeated
        removed = counts.total.removed
        doubts = counts.total.doubts
        expired = counts.total.expired
        conflicts = counts.conflicts
    }

    mutating func add(_ report: ConversationMedia) {
        copied = report.copied
        copiedSize = report.copiedSize
        duplicates = report.duplicates
        for (state, count) in report.counts { media[state.rawValue] = count }
        problems = report.problems.map {
            ConversationExportReport.Problem(name: $0.name, message: $0.message)
        }
    }
}

/// Of some stores nobody knows whose they are.
package struct UnknownOwnerNote: OperationNote {
    package let stores: [String]

    package var text: String {
        "no Session ID of its own, taken as of the same account: \(stores.joined(separator: ", "))"
    }

    /// Nil where there are none.
    init?(_ stores: [String]) {
        guard !stores.isEmpty else { return nil }
        self.stores = stores
    }
}
