package import ValiseAccounts
import ValiseChatSchema
import ValiseCryptoFiles
import ValiseFailures
import ValiseFiles
import ValiseMedia

/// The files of an account, encrypted or not, in its folder or in an archive.
package final class AccountFiles: ServedFiles {
    private let log: ChatLog
    private let table: MediaTable?
    private let store: any MediaStore
    /// Those that were asked for last: a player asks for many pieces, and the whole was verified before the first.
    private var recent: [(row: Int64, media: ServedMedia)] = []

    private static let folder = "media"
    private static let mostRecent = 4

    /// - Parameters:
    ///   - log: knows the keys.
    ///   - store: the files.
    /// - Throws: `DatabaseError`.
    package init(_ log: ChatLog, _ store: any MediaStore) throws {
        self.log = log
        table = try log.mediaTable()
        self.store = store
    }

    package func reference(to file: ItemFile) throws -> PageMedia? {
        var file = file
        switch try MediaFinder(store: store).find(file) {
        case .absent(let state, _): file.exported = ExportedMedia(state)
        case .file:
            let name = SafeFileName(file.name, fallback: "file").text
            file.exported = ExportedMedia(.present, path: "\(Self.folder)/\(file.row)/\(name)")
        }
        return PageMedia.exported(file)
    }

    /// The row alone counts; the name is for who saves the file.
    package func content(at path: [String]) throws -> ServedMedia? {
        guard path.count == 3, path[0] == Self.folder, let row = Int64(path[1]) else { return nil }
        if let place = recent.firstIndex(where: { $0.row == row }) {
            recent.append(recent.remove(at: place))
            return recent[recent.count - 1].media
        }
        guard let media = try open(row) else { return nil }
        recent.append((row, media))
        if recent.count > Self.mostRecent { recent.removeFirst() }
        return media
    }

    private func open(_ row: Int64) throws -> ServedMedia? {
        guard let reference = try log.mediaReference(row, in: table) else { return nil }
        let file = ItemFile(
            row: row, name: reference.fileName ?? "file", path: reference.filePath, size: reference.fileSize,
            status: reference.status, isEncrypted: reference.keys != .none)
        guard case .file(let name, _) = try MediaFinder(store: store).find(file) else { return nil }
        let source = try store.source(name)
        let shown = SafeFileName(file.name, fallback: "file").text
        guard file.isEncrypted else { return ServedMedia(shown, source) }
        guard let keys = try log.keys(of: file, in: table) else {
            throw FileError(.damaged, "its key in the database is incomplete", source.path)
        }
        return ServedMedia(shown, try CryptoFileContent(source, keys))
    }
}
