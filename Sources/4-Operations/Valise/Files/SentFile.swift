package import ValiseTransfers
public import ValiseXFTPWire

/// A file that was sent.
public struct SentFile: Encodable, Sendable {
    /// What was sent.
    public let path: String
    /// The folder with the descriptions.
    public let descriptions: String
    /// Links to the relay's web page, if requested, for each recipient.
    public let webLinks: [[String]]?
    /// How others receive it.
    package let file: UploadedFile

    /// The name that travels with it.
    public var name: String { file.name }
    /// The size of its content, in bytes.
    public var size: Int64 { file.size }
    /// The links of each recipient: as many as the file has parts. `FileLink.appLink(host:)` gives the text of one.
    public var links: [[FileLink]] { file.links }
}

/// All files that one operation has sent.
public struct SentFiles: OperationReport {
    package let type = "filesSent"
    /// How others receive it.
    public let files: [SentFile]

    package init(files: [SentFile]) { self.files = files }
}

extension UploadedFile {
    /// For the app: those of each recipient.
    package func appLinks() throws -> [[String]] {
        try links.map { recipient in
            try recipient.map { link in
                try unsafe link.appLink().withBytes { unsafe String(decoding: $0, as: UTF8.self) }
            }
        }
    }

    /// For the relay's web page: those of each recipient.
    package func webLinks() throws -> [[String]] {
        try links.map { recipient in
            try recipient.map { link in
                try unsafe link.webLink().withBytes { unsafe String(decoding: $0, as: UTF8.self) }
            }
        }
    }
}
