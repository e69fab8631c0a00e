import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseContainers
package import ValiseFiles

extension ReplaceableContent {
    /// An archive of an account, damaged or not: other zip files, of which office documents are some, stay.
    package static let archive = ReplaceableContent("an account archive") {
        path, head, fileSystem throws(FileError) in
        if let kind = ContainerKind(head: head) { return isOfAccount(path, kind, fileSystem) }
        guard head.starts(with: [0x50, 0x4b]) else { return false }
        if isOfAccount(nameOfFirstEntry(head)) { return true }
        guard
            let index = try? ZipIndex(
                fileSystem.openForReading(path), limits: ZipLimits(entries: .max, ratio: .max))
        else { return false }
        return index.entries.contains { isOfAccount($0.name) }
    }

    /// Whether a tar, cpio or 7z has an entry of an account, as far as it can be read.
    private static func isOfAccount(_ path: FilePath, _ kind: ContainerKind, _ fileSystem: FileSystem) -> Bool
    {
        guard let source = try? FileSource(path, fileSystem: fileSystem),
            let reader = try? ContainerReader(
                source, kind, limits: ZipLimits(entries: .max), checkpoint: { _ in })
        else { return false }
        while let entry = try? reader.next() {
            if isOfAccount(entry.name) { return true }
        }
        return false
    }

    private static func isOfAccount(_ name: String) -> Bool {
        // What a salvage could not read is below `damaged`.
        let name = name.hasPrefix("damaged/") ? String(name.dropFirst(8)) : name
        return name.hasPrefix(ArchiveLayout.files + "/") || name.hasPrefix(ArchiveLayout.wallpapers + "/")
            || AccountDatabase.allCases.contains { name == $0.archiveName }
    }

    /// As the local header has it; empty where it is cut.
    private static func nameOfFirstEntry(_ head: [UInt8]) -> String {
        guard head.count > 30, head[2] == 3 else { return "" }
        let length = Int(head[26]) | Int(head[27]) << 8
        return String(decoding: head[30...].prefix(length), as: UTF8.self)
    }
}
