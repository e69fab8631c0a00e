package import SystemPackage
package import ValiseAccountArchives
import ValiseSecrets
package import ValiseXFTPWire

/// An account sent to relays or written to an archive file, for the other machine.
package struct SentAccount: Sendable {
    /// Of the move.
    package let id: String
    /// One for each part; all are needed. None for an archive file. Anyone with the links and the passphrase has the
    /// account. `FileLink.appLink(host:)` gives the text of a link, also for a QR code.
    package let links: [FileLink]
    /// The archive file; nil for relays.
    package let archive: FilePath?
    /// The words that the other machine must show too.
    package let words: FingerprintWords
    /// When it was begun to be sent, in seconds since 1970.
    package let created: Int64
    /// When the relays delete it, in seconds since 1970, unless their operators chose otherwise; nil for an archive file.
    package let expires: Int64?
    /// How often it was sent anew.
    package let renewals: Int
    /// Of the archive, in bytes.
    package let archiveSize: Int64
    /// How many files it holds.
    package let entries: Int
    /// Files that are missing in it.
    package let archiveErrors: [ArchiveError]
    /// Where an image of the link may be kept: it is removed when the move is finished, cancelled or sent again.
    package let linkImage: FilePath

    /// Whether the official apps can receive it: they take one link.
    package var officialAppsCanReceive: Bool { links.count <= 1 }

    /// By what `FileTransfers.FileTransfers.uploads(ofContent:)` finds the upload of it.
    package var contentID: String { SendingMove.contentID(id, renewals + 1) }
}

extension SentAccount: Encodable {
    private enum Keys: String, CodingKey {
        case id, links, archive, words, created, expires, renewals, archiveSize, entries, archiveErrors
        case officialAppsCanReceive
    }

    /// With the links as text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(id, forKey: .id)
        try container.encode(links.map { try $0.text() }, forKey: .links)
        try container.encodeIfPresent(archive?.string, forKey: .archive)
        try container.encode(words, forKey: .words)
        try container.encode(created, forKey: .created)
        try container.encodeIfPresent(expires, forKey: .expires)
        try container.encode(renewals, forKey: .renewals)
        try container.encode(archiveSize, forKey: .archiveSize)
        try container.encode(entries, forKey: .entries)
        try container.encode(archiveErrors, forKey: .archiveErrors)
        try container.encode(officialAppsCanReceive, forKey: .officialAppsCanReceive)
    }
}

extension FileLink {
    /// The link of the app, for output.
    fileprivate func text() throws -> String {
        try unsafe appLink().withBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

/// The result of finishing a move on the sending side.
public struct FinishReport: Sendable, Equatable, Encodable {
    /// Of the move.
    public let id: String
    /// The eight words that both sides compare.
    public let words: FingerprintWords
    /// What became of the account here.
    package let source: SendingState.SourceDisposition
    /// Whether media were not removed with the account, as a program has made another one here since.
    package let mediaLeft: Bool
    /// Chunks that could not be removed from their relays; they expire.
    package let chunksLeft: Int
    /// The archive file that was written instead of an upload.
    package let archive: String?
    /// The same where it is still there: whoever has it and the passphrase has everything.
    package let archiveLeft: String?
}
