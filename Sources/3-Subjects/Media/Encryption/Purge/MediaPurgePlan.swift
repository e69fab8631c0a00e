import SystemPackage
package import ValiseFailures

/// What a purge would remove.
public struct MediaPurgePlan: Sendable, Encodable {
    /// Why something is not needed.
    public enum Reason: String, Sendable, Codable, CaseIterable {
        /// No message and no transfer names it.
        case unreferenced
        /// It lies in a folder for temporary files, and no transfer names it.
        case temporary
        /// A run of Valise that ended early left it.
        case staleWork
        /// A change of the passphrase by the official program left it.
        case staleExport
    }

    /// A file, or a whole folder.
    public struct Item: Sendable, Encodable {
        /// Relative to ``MediaPurgePlan/folder``, or absolute where media lie on another file system.
        public let path: String
        /// In bytes; of all that is in a folder.
        public let size: Int64
        /// Why it can be removed.
        public let reason: Reason
        /// Which of the places it is in.
        let place: PurgePlace
        /// Below the place.
        let name: String

        private enum CodingKeys: CodingKey { case path, size, reason }

        init(_ place: PurgePlace, _ name: String, size: Int64, _ reason: Reason) {
            self.place = place
            self.name = name
            self.size = size
            self.reason = reason
            path = place.shownPath(name)
        }
    }

    /// The folder of the account.
    public let folder: String
    /// The files that would be removed.
    public internal(set) var items: [Item] = []
    /// What was left for a reason that the user should know.
    package internal(set) var notes: [Remark] = []

    /// In bytes.
    package var size: Int64 { items.reduce(0) { $0 + $1.size } }

    init(folder: FilePath) {
        self.folder = folder.string
    }
}
