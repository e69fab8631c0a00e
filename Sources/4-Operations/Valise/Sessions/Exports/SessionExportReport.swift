import SystemPackage
package import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseSessionStore

/// What an export of a store of Session would write.
package struct SessionExportPlan: Encodable, TimedPlan {
    package let store: String
    package let destination: String
    package let session: BackedUpSession
    package let files: Int
    /// In bytes.
    package let size: Int64
    /// What is no part of an export, such as links.
    package let leftOut: [String]

    package var bytesToProcess: Int64 { size }

    private enum CodingKeys: CodingKey {
        case store, destination, session, files, size, leftOut
    }

    init(_ files: SessionFiles, to destination: FilePath) {
        store = files.folder.string
        self.destination = destination.string
        session = BackedUpSession(files.facts)
        self.files = files.files.count
        size = files.size
        leftOut = files.leftOut
    }

    /// Some lines.
    package var text: String {
        "would export \(Count.text(files, "file")) (\(Count.bytes(size))) to \(destination)\n\(session.text)"
    }
}

/// An export of a store of Session.
package struct SessionExportReport: OperationReport {
    package let store: String
    /// The folder or the tar.
    package let destination: String
    package let session: BackedUpSession
    /// How many files of the store it has.
    package let files: Int
    /// Of these files, in bytes.
    package let size: Int64
    /// Of the folder or the tar, in bytes.
    package let exportedSize: Int64
    /// What is no part of an export, such as links.
    package let leftOut: [String]
    package let entryFailures: [EntryFailure]

    private enum CodingKeys: CodingKey {
        case store, destination, session, files, size, exportedSize, leftOut, problems
    }

    init(_ manifest: SessionManifest, store: FilePath, to destination: FilePath, size: Int64) {
        self.store = store.string
        self.destination = destination.string
        session = BackedUpSession(manifest.facts)
        files = manifest.files.count
        self.size = manifest.size
        exportedSize = size
        leftOut = manifest.leftOut
        entryFailures = manifest.problems.map { EntryFailure($0.path, Remark($0.reason)) }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(store, forKey: .store)
        try container.encode(destination, forKey: .destination)
        try container.encode(session, forKey: .session)
        try container.encode(files, forKey: .files)
        try container.encode(size, forKey: .size)
        try container.encode(exportedSize, forKey: .exportedSize)
        try container.encode(leftOut, forKey: .leftOut)
        try container.encode(entryFailures.map(ProblemDocument.init), forKey: .problems)
    }

    /// Some lines.
    package var text: String {
        var lines = [
            "exported \(Count.text(files, "file")) (\(Count.bytes(size))) to \(destination) "
                + "(\(Count.bytes(exportedSize)))", session.text,
        ]
        if !leftOut.isEmpty {
            lines.append("left out: \(Count.text(leftOut.count, "entry")) (no regular files)")
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }
}
