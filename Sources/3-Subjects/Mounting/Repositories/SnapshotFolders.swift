import ValiseRepository
import ValiseStorage

/// The folders above those of snapshots, and what these are called.
struct SnapshotFolders {
    /// By machine.
    let hosts: TreeItem
    /// By the beginnings of their identifiers.
    let ids: TreeItem

    private static let latest = Array("latest".utf8)
    private static let snapshots = Array("snapshots".utf8)
    /// In bytes: what file systems take for one name.
    private static let longestName = 255

    init(_ snapshots: [StoredSnapshot], _ content: RepositoryContent) {
        let ordered = snapshots.sorted { ($0.record.time.utc, $0.id) < ($1.record.time.utc, $1.id) }
        ids = Self.byID(ordered, content)
        var machines: [[UInt8]: [StoredSnapshot]] = [:]
        for snapshot in ordered {
            machines[Self.name(ofHost: snapshot.record.hostname), default: []].append(snapshot)
        }
        hosts = MemoryFolder(
            machines.map { name, snapshots in
                let times = TreeEntry(Self.snapshots, Self.byTime(snapshots, content))
                return TreeEntry(name, MemoryFolder([times]).item())
            }
        ).item()
    }

    /// As many digits as tell them apart, eight at least.
    private static func byID(_ snapshots: [StoredSnapshot], _ content: RepositoryContent) -> TreeItem {
        var counts: [Substring: Int] = [:]
        let texts = snapshots.map(\.id.text)
        for text in texts { counts[text.prefix(8), default: 0] += 1 }
        return MemoryFolder(
            zip(texts, snapshots).map { text, snapshot in
                let name = counts[text.prefix(8)] == 1 ? text.prefix(8) : text[...]
                return TreeEntry(Array(name.utf8), content.item(of: snapshot))
            }
        ).item()
    }

    /// - Parameter snapshots: the oldest first.
    private static func byTime(_ snapshots: [StoredSnapshot], _ content: RepositoryContent) -> TreeItem {
        var counts: [String: Int] = [:]
        var entries: [TreeEntry] = []
        for snapshot in snapshots {
            let time = RecordTime(
                seconds: snapshot.record.time.seconds, offset: snapshot.record.time.offset
            ).text
            let count = counts[time, default: 0]
            counts[time] = count + 1
            // Of one second, as restic calls them.
            let name = count == 0 ? time : "\(time)-\(count)"
            entries.append(TreeEntry(Array(name.utf8), content.item(of: snapshot)))
        }
        if let last = entries.last { entries.append(TreeEntry(latest, TreeItem(.link(last.name)))) }
        return MemoryFolder(entries).item(modified: snapshots.last?.record.time.utc)
    }

    /// The name of a machine is whatever somebody wrote into the repository.
    static func name(ofHost host: String) -> [UInt8] {
        let bytes = host.utf8.prefix(longestName).map {
            $0 == 0 || $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
        }
        switch bytes {
        case []: return Array("unknown".utf8)
        case [UInt8(ascii: ".")], [UInt8(ascii: "."), UInt8(ascii: ".")]: return [UInt8(ascii: "_")] + bytes
        default: return bytes
        }
    }
}
