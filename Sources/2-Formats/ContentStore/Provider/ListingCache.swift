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
        try file.close()
        try pending.publish(replacing: true)
        try fileSystem.rename(path, to: self.path(digest))
        try removeOld(but: digest)
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

    /// - Parameter digest: 64 hexadecimal digits.
    func path(_ digest: String) -> FilePath { folder.appending(Self.prefix + digest) }

    /// - Returns: nil where the listing is not kept any more.
    func lines(_ digest: String) throws -> FilePath? {
        guard ContentDigest(text: digest) != nil, try fileSystem.exists(path(digest)) else { return nil }
        return path(digest)
    }

    private func removeOld(but digest: String) throws {
        var found: [(path: FilePath, time: Int64, nanoseconds: Int64)] = []
        for entry in try fileSystem.list(folder) {
            guard let name = entry.name, name.hasPrefix(Self.prefix), name != Self.prefix + digest,
                let attributes = try fileSystem.attributes(of: folder.appending(name))
            else { continue }
            found.append(
                (folder.appending(name), attributes.modificationTime, attributes.modificationNanoseconds))
        }
        found.sort { ($0.time, $0.nanoseconds) > ($1.time, $1.nanoseconds) }
        for old in found.dropFirst(Self.most - 1) { try fileSystem.remove(old.path) }
    }
}
