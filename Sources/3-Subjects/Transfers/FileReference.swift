package import SystemPackage
import ValiseFailures
package import ValiseFiles
import ValiseSecrets
package import ValiseXFTPWire

/// What a recipient is given: a description of a file, from a link or a `.xftp` file.
package struct FileReference: Sendable {
    package let description: FileDescription
    /// JSON for apps, of links only.
    package let data: String?

    package init(_ description: FileDescription, data: String? = nil) {
        self.description = description
        self.data = data
    }

    /// Reads a link: of the app or for browsers.
    /// - Throws: ``FileTransferError``: `invalidLink`; `SecretsError`.
    package init(link text: String) throws {
        do {
            let link = try FileLink(text)
            self.init(link.description, data: link.data)
        } catch let error as XFTPWireError {
            throw FileTransferError(
                .invalidLink, error.code, error.message, cause: error, remedy: .copyCompleteLink)
        }
    }

    /// Reads a description in YAML, as `.xftp` files hold it.
    /// - Throws: ``FileTransferError``: `invalidLink`; `FileError`; `SecretsError`.
    package init(file path: FilePath, fileSystem: FileSystem = FileSystem()) throws {
        let file = try fileSystem.openForReading(path)
        let size = try file.size()
        guard size <= Int64(FileDescription.largestYAML) else {
            throw FileTransferError.noLink("too large for a file description", path.string)
        }
        let yaml = try unsafe SecretBytes(capacity: Int(size)) { try unsafe file.read(into: $0, at: 0) }
        guard unsafe yaml.withBytes({ unsafe Self.mayBeDescription($0) }) else {
            throw FileTransferError(.invalidLink, .damaged, "not a file description", subject: path.string)
        }
        do {
            self.init(try FileDescription(yaml: yaml))
        } catch let error as XFTPWireError {
            throw FileTransferError.noLink(
                "not a file description", path.string, error, remedy: .askForNewLink)
        }
    }
}

extension FileReference {
    /// Whether a text has a key that each description has. Where another file is no YAML tells nobody anything.
    private static func mayBeDescription(_ text: UnsafeRawBufferPointer) -> Bool {
        let key = Array("party".utf8)
        return text.indices.contains { unsafe text[$0...].starts(with: key) }
    }
}

extension FileTransferError {
    static func noLink(
        _ message: String, _ subject: String? = nil, _ cause: (any Error)? = nil,
        remedy: Remedy? = nil
    ) -> FileTransferError {
        FileTransferError(
            .invalidLink, (cause as? any Failure)?.code ?? .invalid, message, subject: subject, cause: cause,
            remedy: remedy)
    }
}
