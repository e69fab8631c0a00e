import SystemPackage
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseStorage

/// Listings of a store that were given out as anchors, each in a file under its digest.
struct ListingCache: Sendable {
    let store: ContentStore
    let folder: FilePath
    let fileSystem: FileSystem

    private static let prefix = "listing-"
    /// So many are kept: a system asks with the last one, or with one that it began to read.
    private static let most = 4

    /// A listing that is kept: `listing-NUMBER-DIGEST`, numbered in the order in which they were made.
    private struct Kept {
        let number: Int
        let digest: String
        let path: FilePath
    }

    /// Lists the store and keeps the listing.
    /// - Returns: its digest.
    /// - Throws: `StorageError`; `FileError`; whatever `checkpoint` throws.
    func update(_ checkpoint: () throws -> Void) throws -> String {
        try fileSystem.makeDirectories(folder)
        let path = folder.appending("current")
        let pending = try PendingFile(path, fileSystem: fileSystem)
        var file = try pending.open()
        var hash = try BLAKE3()
        var bytes: [UInt8] = []
        func flush() throws {
            hash.update(bytes)
            try file.write(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        try store.list(isRecursive: true) { item in
            guard let line = try Self.line(item) else { return true }
            bytes += line.bytes
            if bytes.count > 256 << 10 {
                try checkpoint()
                try flush()
            }
            return true
        }
        try flush()
        let digest = ContentDigest(digest: hash.digest()).text
        try file.synchronize()
        try pending.publish(replacing: true)
        let others = try kept()
        let number = (others.map(\.number).max() ?? 0) &+ 1
        try fileSystem.rename(path, to: folder.appending("\(Self.prefix)\(number)-\(digest)"))
        let old =
            others.filter { $0.digest == digest }
            + others.filter { $0.digest != digest }.dropFirst(Self.most - 1)
        for listing in old { try fileSystem.remove(listing.path) }
        return digest
    }

    private static func line(_ item: ListedItem) throws -> ListingLine? {
        switch item {
        case .unusable: return nil
        case .folder(let path):
            let none = String(repeating: "0", count: ListingLine.versionSize)
            return ListingLine(version: none, text: "\(path.text)/\(DirectoryMarker.name)")
        case .entry(let path, let attributes):
            let digest = try ContentDigest(of: Array(attributes.version.text.utf8))
            return ListingLine(version: String(digest.text.prefix(ListingLine.versionSize)), text: path.text)
        }
    }

    /// - Returns: nil where the listing is not kept any more.
    func lines(_ digest: String) throws -> FilePath? {
        try kept().first { $0.digest == digest }?.path
    }

    /// The newest first.
    private func kept() throws -> [Kept] {
        guard try fileSystem.exists(folder) else { return [] }
        return try fileSystem.list(folder)
            .compactMap { entry in
                let parts = (entry.name ?? "").split(separator: "-", omittingEmptySubsequences: false)
                guard let name = entry.name, name.hasPrefix(Self.prefix), parts.count == 3,
                    let number = Int(parts[1]), ContentDigest(text: String(parts[2])) != nil
                else { return nil }
                return Kept(number: number, digest: String(parts[2]), path: folder.appending(name))
            }
            .sorted { $0.number > $1.number }
    }
}
