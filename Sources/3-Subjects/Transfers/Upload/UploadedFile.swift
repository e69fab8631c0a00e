package import SystemPackage
import ValiseSecrets
package import ValiseXFTPWire

/// A file stored on relays.
package struct UploadedFile: Sendable {
    /// What ``FileTransfers/forgetUpload(_:)`` takes.
    package let id: String
    /// The name that travels with it.
    package let name: String
    /// The size of its content, in bytes.
    package let size: Int64
    /// When the upload began, in seconds since 1970. Relays keep files for about 48 hours.
    package let created: Int64
    /// One, or several where the file is larger than one description may name.
    package let parts: [UploadedPart]
    /// The folder with its descriptions; nil if none was requested.
    package internal(set) var descriptions: FilePath?

    /// The links of each recipient: as many as there are parts.
    package var links: [[FileLink]] {
        guard let first = parts.first else { return [] }
        return first.links.indices.map { recipient in parts.map { $0.links[recipient] } }
    }
}

/// One description's worth of an uploaded file.
package struct UploadedPart: Sendable {
    /// The name that travels with it.
    package let name: String
    /// For deleting it. Private.
    package let sender: FileDescription
    /// One for each recipient.
    package let recipients: [FileDescription]
    /// For each recipient the description behind his link, where that is sent as a file too.
    package let redirects: [UploadedRedirect?]
    /// One for each recipient: to his description, or to the one that leads to it.
    package let links: [FileLink]
}

/// A description that is sent as a file, so that its link is short.
package struct UploadedRedirect: Sendable {
    package let sender: FileDescription
    package let recipient: FileDescription
}

extension UploadedFile: Encodable {
    private enum Keys: String, CodingKey { case id, name, size, created, links, parts }

    /// The links and the numbers of each part, without the sender's descriptions, which are private.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(size, forKey: .size)
        try container.encode(created, forKey: .created)
        try container.encode(links.map { try $0.map { try $0.text() } }, forKey: .links)
        try container.encode(parts.map(Part.init), forKey: .parts)
    }

    private struct Part: Encodable {
        let name: String
        let encryptedSize: Int64
        let chunks: Int
        let servers: [String]

        init(_ part: UploadedPart) {
            name = part.name
            encryptedSize = part.sender.size
            chunks = part.sender.chunks.count
            servers = part.sender.relays.map(\.text)
        }
    }
}

extension FileLink {
    /// The link of the app, for output.
    fileprivate func text() throws -> String {
        try unsafe appLink().withBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
