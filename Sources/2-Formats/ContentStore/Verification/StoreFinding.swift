/// Something that a verification of a store found.
package struct StoreFinding: Sendable, Hashable {
    /// Whether something is lost or wrong, or only not as it should be.
    package enum Severity: String, Sendable {
        case error, hint
    }

    /// What was found.
    package enum Kind: String, Sendable, CaseIterable {
        /// An index entry cannot be read, or contradicts itself.
        case unreadableEntry = "unreadable-entry"
        case missingManifest = "missing-manifest"
        /// A manifest cannot be read, or is not what its name or its index entry says.
        case wrongManifest = "wrong-manifest"
        case missingChunk = "missing-chunk"
        /// The content of a chunk does not have the digest that is its name.
        case damagedChunk = "damaged-chunk"
        /// Length or hash of a file are not what its manifest says, or its chunks do not open.
        case wrongContent = "wrong-content"
        /// A reservation of a name cannot be read, or has another name than it reserves.
        case wrongReservation = "wrong-reservation"
        /// The key that was given does not open a file.
        case wrongKey = "wrong-key"

        /// An encrypted file whose content was not verified, only its chunks: there is no key for it.
        case noKey = "no-key"
        /// Below the index, and no path.
        case unusableKey = "unusable-key"
        /// A run that published a file was interrupted. Readers complete it, or take the previous content.
        case unfinished
        /// No file has this chunk: of a run that was killed or goes on, or of content that was replaced.
        case orphanChunk = "orphan-chunk"
        case orphanManifest = "orphan-manifest"
        /// An object whose name no part of the format has.
        case unknownObject = "unknown-object"

        package var severity: Severity {
            switch self {
            case .noKey, .unusableKey, .unfinished, .orphanChunk, .orphanManifest, .unknownObject: .hint
            default: .error
            }
        }
    }

    package let kind: Kind
    /// One clause.
    package let message: String
    /// The path of a file, or the name of an object.
    package let subject: String

    init(_ kind: Kind, _ message: String, _ subject: String) {
        self.kind = kind
        self.message = message
        self.subject = subject
    }

    package var severity: Severity { kind.severity }
}
