import ValiseConcurrency
import ValiseContentStore
import ValiseEncoding
import ValiseFailures
import ValiseStorage

/// Shows how much is in a store, and when it was verified last. Objects are listed and not read.
package struct ShowStoreStatus: Operation {
    package var store: StoreInput

    package init(_ store: StoreInput) { self.store = store }

    /// - Throws: `StorageError`.
    package func run(in context: OperationContext) async throws -> StoreSummary {
        try await store.opened(in: context) { store, progress in
            var status = StoreSummary(place: self.store.address.absoluteText, prefix: store.layout.prefix)
            let layout = store.layout
            let prefix = layout.prefix.isEmpty ? "" : layout.prefix + "/"
            var count: Int64 = 0
            try store.objects.list(prefix, isDelimited: false, after: nil) { listed in
                guard case .object(let key, let attributes) = listed else { return true }
                count += 1
                if count % 1024 == 0 {
                    try progress(OperationProgress("listing", completed: count, unit: .items))
                }
                status.add(key, attributes.size, layout)
                return true
            }
            status.take(try StoreMemories(context.folders).memory(of: self.store.address))
            return status
        }
    }
}

/// How much is in a store.
package struct StoreSummary: OperationReport {
    /// Objects of one kind.
    package struct Objects: Sendable, Encodable, Equatable {
        package fileprivate(set) var count = 0
        /// In bytes.
        package fileprivate(set) var size: Int64 = 0

        fileprivate mutating func add(_ size: Int64) {
            count += 1
            self.size = self.size.addingReportingOverflow(size).partialValue
        }
    }

    /// Where it is; folders as absolute paths.
    package let place: String
    /// What all keys begin with, without the slash; empty for none.
    package let prefix: String
    /// Index entries: of files, symbolic links and deleted files.
    package private(set) var entries = Objects()
    /// Markers of folders.
    package private(set) var folders = 0
    package private(set) var manifests = Objects()
    package private(set) var chunks = Objects()
    /// Manifests of uploads, which are kept as evidence.
    package private(set) var staged = Objects()
    /// Copies of entries of deleted files.
    package private(set) var trashed = Objects()
    /// Names that writers reserved; with them, the last versions of tcfs write to it.
    package private(set) var reservations = 0
    /// Objects that are no part of the format.
    package private(set) var others = 0
    /// The last verification from here.
    package private(set) var verification: StoreMemory.Verification?
    /// When all had been read without an error, in seconds since 1970; nil for never.
    package private(set) var lastCompleteReading: Int64?

    init(place: String, prefix: String) {
        self.place = place
        self.prefix = prefix
    }

    mutating func add(_ key: ObjectKey, _ size: Int64, _ layout: StoreLayout) {
        let text = key.text.utf8
        if layout.chunk(at: key) != nil {
            chunks.add(size)
        } else if layout.manifest(at: key) != nil {
            manifests.add(size)
        } else if text.starts(with: layout.index.utf8) {
            if text.suffix(DirectoryMarker.name.utf8.count).elementsEqual(DirectoryMarker.name.utf8) {
                folders += 1
            } else {
                entries.add(size)
            }
        } else if text.starts(with: layout.staging.utf8) {
            staged.add(size)
        } else if text.starts(with: layout.trash.utf8) {
            trashed.add(size)
        } else if text.starts(with: layout.namespace.utf8) {
            reservations += 1
        } else {
            others += 1
        }
    }

    mutating func take(_ memory: StoreMemory?) {
        verification = memory?.lastVerification
        lastCompleteReading = memory?.lastCompleteReading
    }
}
