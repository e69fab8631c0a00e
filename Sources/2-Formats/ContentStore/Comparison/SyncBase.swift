package import SystemPackage
import ValiseEncoding
import ValiseFailures
package import ValiseFiles

/// What folder and store had in common when they were synchronized last: only so can a change here be told from one there.
package struct SyncBase: Sendable, Equatable {
    /// A path as both had it.
    package struct Entry: Sendable, Hashable {
        package let kind: ContentKind
        package let digest: ContentDigest
        package let clock: VectorClock
        /// The name of the manifest.
        package let contentVersion: String
        /// Of the file here, in bytes; 0 for a link.
        package let size: Int64
        package let modified: ModificationTime
        /// When it was compared, in seconds since 1970.
        package let compared: Int64

        /// File systems tell two changes apart that are so many seconds apart: what was changed shortly before it was compared may
        /// have been changed once more since.
        private static let patience: Int64 = 2

        /// Whether a file with these attributes has the content that was compared, without reading it.
        func isUnchanged(_ attributes: FileAttributes) -> Bool {
            kind == .file && size == attributes.size && modified == ModificationTime(attributes)
                && modified.seconds < compared - Self.patience
        }
    }

    /// Which store it is of: location and prefix.
    package let store: String
    package internal(set) var entries: [StorePath: Entry] = [:]

    /// One of nothing: all is new.
    package init(_ store: ContentStore) { self.store = Self.name(store) }

    private init(name: String) { store = name }

    static func name(_ store: ContentStore) -> String { "\(store.location) \(store.layout.prefix)" }

    /// - Throws: ``ContentStoreError``: `invalid` where it is one of another store: what is missing there was not deleted.
    func check(_ store: ContentStore) throws(ContentStoreError) {
        guard self.store == Self.name(store) else {
            throw ContentStoreError(
                .invalid, "the folder was synchronized with another store: \(self.store)", store.location)
        }
    }
}

/// The file: a line of JSON for the store, then one for each path.
extension SyncBase {
    private static let format = 1
    private static let mostBytes = 1 << 30

    /// - Returns: nil where there is no such file.
    /// - Throws: ``ContentStoreError``: `damaged`, `newer`; `FileError`.
    package init?(_ file: FilePath, fileSystem: FileSystem = FileSystem()) throws {
        guard try fileSystem.exists(file) else { return nil }
        let bytes = try fileSystem.contents(of: file, limit: Self.mostBytes)
        var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
        guard let first = lines.popFirst().flatMap({ JSONNode(parsing: Array($0)) }),
            let version = first["valise-sync"]?.integerValue, let store = first["store"]?.textValue
        else { throw Self.damaged(file) }
        guard version == Self.format else {
            throw ContentStoreError(
                .newer, "the record of the last synchronization is of a newer program", file.string,
                remedy: .updateProgram)
        }
        self.init(name: store)
        for line in lines {
            guard let node = JSONNode(parsing: Array(line)), let (path, entry) = Self.entry(node) else {
                throw Self.damaged(file)
            }
            entries[path] = entry
        }
    }

    private static func damaged(_ file: FilePath) -> ContentStoreError {
        ContentStoreError(
            .damaged,
            "the record of the last synchronization is damaged. Without it files that differ count as conflicts.",
            file.string)
    }

    private static func entry(_ node: JSONNode) -> (StorePath, Entry)? {
        guard let path = node["path"]?.textValue.flatMap({ try? StorePath(lenient: $0) }),
            let kind = node["kind"]?.textValue.flatMap({ ContentKind(rawValue: $0) }),
            let digest = node["digest"]?.textValue.flatMap({ ContentDigest(text: $0) }),
            let version = node["version"]?.textValue, let size = node["size"]?.integerValue,
            let seconds = node["seconds"]?.integerValue,
            let nanoseconds = node["nanoseconds"]?.integerValue.flatMap({ UInt32(exactly: $0) }),
            let compared = node["compared"]?.integerValue, let counters = node["clock"]?.objectValue
        else { return nil }
        var clock: [String: UInt64] = [:]
        for counter in counters {
            guard case .number(let text) = counter.value, let number = UInt64(text) else { return nil }
            clock[counter.key] = number
        }
        return (
            path,
            Entry(
                kind: kind, digest: digest, clock: VectorClock(clock), contentVersion: version, size: size,
                modified: ModificationTime(seconds: seconds, nanoseconds: nanoseconds), compared: compared)
        )
    }

    /// Writes the file, so that a crash leaves the previous one or this.
    /// - Throws: `FileError`.
    package func save(_ file: FilePath, fileSystem: FileSystem = FileSystem()) throws {
        var bytes: [UInt8] = []
        let head: [JSONNode.Member] = [
            .init("valise-sync", .number(String(Self.format))), .init("store", .text(store)),
        ]
        Self.append(head, to: &bytes)
        for (path, entry) in entries.sorted(by: { $0.key < $1.key }) {
            let clock = entry.clock.counters.sorted { $0.key < $1.key }
                .map { JSONNode.Member($0.key, .number(String($0.value))) }
            Self.append(
                [
                    .init("path", .text(path.text)), .init("kind", .text(entry.kind.rawValue)),
                    .init("digest", .text(entry.digest.text)), .init("version", .text(entry.contentVersion)),
                    .init("size", .number(String(entry.size))),
                    .init("seconds", .number(String(entry.modified.seconds))),
                    .init("nanoseconds", .number(String(entry.modified.nanoseconds))),
                    .init("compared", .number(String(entry.compared))), .init("clock", .object(clock)),
                ], to: &bytes)
        }
        try fileSystem.replace(file, with: bytes)
    }

    private static func append(_ members: [JSONNode.Member], to bytes: inout [UInt8]) {
        JSONNode.object(members).write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }
}
