#if canImport(FileProvider)
    import FileProvider
    import Foundation
    import UniformTypeIdentifiers

    /// An item of the store as the system sees it.
    final class FileProviderItem: NSObject, NSFileProviderItem {
        private let item: EngineItem

        init(_ item: EngineItem) { self.item = item }

        var itemIdentifier: NSFileProviderItemIdentifier { .init(path: item.identifier) }
        var parentItemIdentifier: NSFileProviderItemIdentifier { .init(path: item.parent) }
        var filename: String { item.identifier.isEmpty ? "Store" : item.name }

        var contentType: UTType {
            if item.isFolder { return .folder }
            if item.linkTarget != nil { return .symbolicLink }
            let type = (item.name as NSString).pathExtension
            return UTType(filenameExtension: type) ?? .data
        }

        /// A path is what an item is: one that gets another path is another item, so nothing is renamed or moved.
        var capabilities: NSFileProviderItemCapabilities {
            item.isFolder
                ? [.allowsReading, .allowsContentEnumerating, .allowsAddingSubItems, .allowsDeleting]
                : [.allowsReading, .allowsWriting, .allowsDeleting, .allowsEvicting]
        }

        var documentSize: NSNumber? { item.isFolder ? nil : NSNumber(value: item.size) }
        var contentModificationDate: Date? { item.modified }
        var symlinkTargetPath: String? { item.linkTarget }

        var itemVersion: NSFileProviderItemVersion {
            let version = Data((item.isFolder ? "folder" : item.version).utf8)
            return NSFileProviderItemVersion(contentVersion: version, metadataVersion: version)
        }
    }

    extension NSFileProviderItemIdentifier {
        init(path: String) { self = path.isEmpty ? .rootContainer : NSFileProviderItemIdentifier(path) }

        /// The identifier of the store's item.
        var path: String { self == .rootContainer ? "" : rawValue }
    }

    extension NSFileProviderItemVersion {
        /// The version of the store; nil for one that a system made up before the file was there.
        var stored: String? {
            let text = String(decoding: contentVersion, as: UTF8.self)
            return text.isEmpty || text == "folder" ? nil : text
        }
    }
#endif
