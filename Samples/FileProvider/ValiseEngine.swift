#if canImport(Valise)
    import Foundation
    import Valise

    /// The engine of Valise: a ``StoreProvider``.
    struct ValiseEngine: StoreEngine {
        let provider: StoreProvider

        func item(_ identifier: String) throws -> EngineItem {
            try naming(identifier) { EngineItem(try provider.item(identifier)) }
        }

        func items(in folder: String, page: String?, limit: Int) throws -> EnginePage {
            try naming(folder) {
                let page = try provider.listItems(folder, page: page, limit: limit)
                return EnginePage(items: page.items.map(EngineItem.init), next: page.next)
            }
        }

        func fetch(
            _ identifier: String, version: String?, to file: URL, progress: (Int64, Int64) -> Void,
            isCancelled: () -> Bool
        ) throws -> EngineItem {
            try naming(identifier) {
                let report = { (event: OperationProgress) in
                    if isCancelled() { throw EngineError.cancelled }
                    progress(event.completed, event.total ?? 0)
                }
                let path = FilePath(file.path)
                let item =
                    if let version {
                        try provider.hydrateFileVersion(identifier, version, to: path, progress: report)
                    } else {
                        try provider.hydrateFile(identifier, to: path, progress: report)
                    }
                return EngineItem(item)
            }
        }

        func upload(
            _ file: URL, as identifier: String, basedOn basis: String?, progress: (Int64, Int64) -> Void,
            isCancelled: () -> Bool
        ) throws -> EngineItem {
            try naming(identifier) {
                EngineItem(
                    try provider.uploadFile(FilePath(file.path), as: identifier, basedOn: basis) { event in
                        if isCancelled() { throw EngineError.cancelled }
                        progress(event.completed, event.total ?? 0)
                    })
            }
        }

        func uploadLink(
            to target: String, as identifier: String, basedOn basis: String?
        ) throws -> EngineItem {
            try naming(identifier) {
                EngineItem(try provider.uploadLink(to: target, as: identifier, basedOn: basis))
            }
        }

        func createFolder(_ identifier: String) throws -> EngineItem {
            try naming(identifier) { EngineItem(try provider.createDirectory(identifier)) }
        }

        func delete(_ identifier: String, basedOn basis: String?) throws {
            try naming(identifier) { try provider.deleteItem(identifier, basedOn: basis) }
        }

        func anchor() throws -> String { try naming("") { try provider.currentAnchor() } }

        func changes(since anchor: String, limit: Int) throws -> EngineChanges {
            try naming("") {
                let changes = try provider.changes(since: anchor, limit: limit)
                return EngineChanges(
                    updated: changes.updated.map(EngineItem.init), deleted: changes.deleted,
                    anchor: changes.anchor, hasMore: changes.hasMore)
            }
        }

        /// The failures of Valise in the words of the extension.
        private func naming<Result>(_ identifier: String, _ body: () throws -> Result) throws -> Result {
            do {
                return try body()
            } catch let error as ProviderError {
                throw EngineError(error, identifier)
            } catch let error as any Failure {
                throw error.code == .interrupted ? EngineError.cancelled : .failed(error.description)
            }
        }
    }

    extension EngineError {
        init(_ error: ProviderError, _ identifier: String) {
            self =
                switch (error.kind, error.code) {
                case (_, .gone): .anchorExpired
                case (_, .noSpace): .noSpace
                case (.notFound, _): .notFound(identifier)
                case (.conflict, .alreadyExists): .exists(identifier)
                case (.conflict, _): .conflict(identifier)
                case (.versionMismatch, _): .otherVersion(identifier)
                case (.network, _): .notReached
                case (.authentication, _): .notAuthorized
                case (.decryption, _): .locked
                default: .failed(error.description)
                }
        }
    }

    extension EngineItem {
        init(_ item: ProviderItem) {
            var target: String?
            if case .symbolicLink(let text) = item.kind { target = text }
            self.init(
                identifier: item.identifier, isFolder: item.isFolder, linkTarget: target, size: item.size,
                modified: item.modified.map { Date(timeIntervalSince1970: Double($0)) },
                version: item.contentVersion)
        }
    }
#endif
