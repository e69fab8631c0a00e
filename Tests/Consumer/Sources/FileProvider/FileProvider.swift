import Foundation
import UniformTypeIdentifiers

// The part of Apple's framework that the sample of a File Provider extension uses, from its documentation, so that the sample is
// compiled where there is no such framework. Nothing of it does anything.

// MARK: Items

public struct NSFileProviderItemIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(_ rawValue: String) { self.rawValue = rawValue }

    public static let rootContainer = Self("NSFileProviderRootContainerItemIdentifier")
    public static let workingSet = Self("NSFileProviderWorkingSetContainerItemIdentifier")
    public static let trashContainer = Self("NSFileProviderTrashContainerItemIdentifier")
}

public protocol NSFileProviderItem: NSObjectProtocol {
    var itemIdentifier: NSFileProviderItemIdentifier { get }
    var parentItemIdentifier: NSFileProviderItemIdentifier { get }
    var filename: String { get }
    // The requirements that follow are optional in the framework.
    var contentType: UTType { get }
    var capabilities: NSFileProviderItemCapabilities { get }
    var documentSize: NSNumber? { get }
    var contentModificationDate: Date? { get }
    var symlinkTargetPath: String? { get }
    var itemVersion: NSFileProviderItemVersion { get }
}

public struct NSFileProviderItemCapabilities: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let allowsReading = Self(rawValue: 1 << 0)
    public static let allowsWriting = Self(rawValue: 1 << 1)
    public static let allowsDeleting = Self(rawValue: 1 << 5)
    public static let allowsEvicting = Self(rawValue: 1 << 6)
    public static let allowsContentEnumerating = Self(rawValue: 1 << 0)
    public static let allowsAddingSubItems = Self(rawValue: 1 << 1)
}

public final class NSFileProviderItemVersion: NSObject {
    public let contentVersion: Data
    public let metadataVersion: Data

    public init(contentVersion: Data, metadataVersion: Data) {
        self.contentVersion = contentVersion
        self.metadataVersion = metadataVersion
    }
}

public struct NSFileProviderItemFields: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let contents = Self(rawValue: 1 << 0)
    public static let filename = Self(rawValue: 1 << 1)
    public static let parentItemIdentifier = Self(rawValue: 1 << 2)
}

// MARK: Lists

public struct NSFileProviderPage: RawRepresentable, Sendable {
    public let rawValue: Data

    public init(rawValue: Data) { self.rawValue = rawValue }

    public init(_ rawValue: Data) { self.rawValue = rawValue }

    public static let initialPageSortedByName = NSData(data: Data("name".utf8))
    public static let initialPageSortedByDate = NSData(data: Data("date".utf8))
}

public struct NSFileProviderSyncAnchor: RawRepresentable, Sendable {
    public let rawValue: Data

    public init(rawValue: Data) { self.rawValue = rawValue }

    public init(_ rawValue: Data) { self.rawValue = rawValue }
}

public protocol NSFileProviderEnumerationObserver: NSObjectProtocol {
    func didEnumerate(_ updatedItems: [any NSFileProviderItem])
    func finishEnumerating(upTo nextPage: NSFileProviderPage?)
    func finishEnumeratingWithError(_ error: any Error)
    /// Optional in the framework.
    var suggestedPageSize: Int? { get }
}

public protocol NSFileProviderChangeObserver: NSObjectProtocol {
    func didUpdate(_ updatedItems: [any NSFileProviderItem])
    func didDeleteItems(withIdentifiers deletedItemIdentifiers: [NSFileProviderItemIdentifier])
    func finishEnumeratingChanges(upTo anchor: NSFileProviderSyncAnchor, moreComing: Bool)
    func finishEnumeratingWithError(_ error: any Error)
}

public protocol NSFileProviderEnumerator: NSObjectProtocol {
    func invalidate()
    func enumerateItems(
        for observer: any NSFileProviderEnumerationObserver, startingAt page: NSFileProviderPage)
    func enumerateChanges(
        for observer: any NSFileProviderChangeObserver, from syncAnchor: NSFileProviderSyncAnchor)
    func currentSyncAnchor(completionHandler: @escaping (NSFileProviderSyncAnchor?) -> Void)
}

// MARK: Extensions

public final class NSFileProviderDomain: NSObject {}

public final class NSFileProviderRequest: NSObject {}

public final class NSFileProviderManager: NSObject {
    public init?(for domain: NSFileProviderDomain) {}

    public func temporaryDirectoryURL() throws -> URL { FileManager.default.temporaryDirectory }
}

public struct NSFileProviderCreateItemOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }
}

public struct NSFileProviderModifyItemOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }
}

public struct NSFileProviderDeleteItemOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let recursive = Self(rawValue: 1 << 0)
}

public protocol NSFileProviderReplicatedExtension: NSObjectProtocol {
    init(domain: NSFileProviderDomain)
    func invalidate()
    func item(
        for identifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest,
        completionHandler: @escaping (NSFileProviderItem?, (any Error)?) -> Void
    ) -> Progress
    func fetchContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion?, request: NSFileProviderRequest,
        completionHandler: @escaping (URL?, NSFileProviderItem?, (any Error)?) -> Void
    ) -> Progress
    func createItem(
        basedOn itemTemplate: NSFileProviderItem, fields: NSFileProviderItemFields, contents url: URL?,
        options: NSFileProviderCreateItemOptions, request: NSFileProviderRequest,
        completionHandler:
            @escaping (NSFileProviderItem?, NSFileProviderItemFields, Bool, (any Error)?) -> Void
    ) -> Progress
    func modifyItem(
        _ item: NSFileProviderItem, baseVersion version: NSFileProviderItemVersion,
        changedFields: NSFileProviderItemFields, contents newContents: URL?,
        options: NSFileProviderModifyItemOptions, request: NSFileProviderRequest,
        completionHandler:
            @escaping (NSFileProviderItem?, NSFileProviderItemFields, Bool, (any Error)?) -> Void
    ) -> Progress
    func deleteItem(
        identifier: NSFileProviderItemIdentifier, baseVersion version: NSFileProviderItemVersion,
        options: NSFileProviderDeleteItemOptions, request: NSFileProviderRequest,
        completionHandler: @escaping ((any Error)?) -> Void
    ) -> Progress
    func enumerator(
        for containerItemIdentifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest
    ) throws -> any NSFileProviderEnumerator
}

// MARK: Failures

public struct NSFileProviderError: Error {
    public enum Code: Sendable {
        case noSuchItem, filenameCollision, versionNoLongerAvailable, syncAnchorExpired, serverUnreachable
        case notAuthenticated, cannotSynchronize, directoryNotEmpty
    }

    public let code: Code

    public init(_ code: Code) { self.code = code }
}
