import ValiseEncoding
import ValiseMedia

/// The files of an account of Session for pages that are served.
package struct SessionServedFiles: ServedFiles {
    private let files: SessionItemFiles

    private static let folder = "media"
    private static let encrypted = "encrypted"
    private static let unencrypted = "unencrypted"
    /// In bytes; the network takes no more than ten million.
    private static let largest = 64 << 20

    /// - Parameter files: of the account.
    package init(_ files: SessionItemFiles) { self.files = files }

    package func reference(to file: ItemFile) throws -> PageMedia? {
        var file = file
        switch try files.find(file) {
        case .absent(let state, _): file.exported = ExportedMedia(state)
        case .file(let path, _):
            let form = file.isEncrypted ? Self.encrypted : Self.unencrypted
            let place = Hexadecimal.encode(Array(path.utf8))
            let name = SafeFileName(file.name, fallback: "file").text
            file.exported = ExportedMedia(.present, path: "\(Self.folder)/\(form)/\(place)/\(name)")
        }
        return PageMedia.exported(file)
    }

    /// The place alone counts, and one outside of the folder of attachments is refused; the name is for who saves the file.
    package func content(at path: [String]) throws -> ServedMedia? {
        guard path.count == 4, path[0] == Self.folder, [Self.encrypted, Self.unencrypted].contains(path[1]),
            let bytes = Hexadecimal.decode(path[2]), let place = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let file = ItemFile(
            row: 0, name: path[3], path: place, size: nil, status: nil,
            isEncrypted: path[1] == Self.encrypted, exported: nil)
        guard case .file(let name, _) = try files.find(file) else { return nil }
        return ServedMedia(
            SafeFileName(file.name, fallback: "file").text,
            try files.content(of: file, named: name, limit: Self.largest))
    }
}
