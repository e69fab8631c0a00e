package import ValiseCryptography
import ValiseFailures

/// What makes sure that no two paths of a store differ in case only: an object for each path and each folder above it, which
/// is created where there is none and never removed.
package struct NamespaceReservation: Hashable, Sendable {
    package enum Role: String, Sendable, Hashable {
        case file
        case directory
    }

    package let path: StorePath
    package let role: Role

    package init(_ path: StorePath, _ role: Role) {
        self.path = path
        self.role = role
    }

    /// Those that a file needs: of the folders above it, the topmost first, then its own.
    package static func all(for path: StorePath) -> [NamespaceReservation] {
        path.ancestors.map { NamespaceReservation($0, .directory) } + [NamespaceReservation(path, .file)]
    }

    /// The name of the object.
    /// - Throws: `CryptographyError` where libblake3 cannot be loaded.
    package func name() throws(CryptographyError) -> ContentDigest {
        try DigestLabel.reservation.digest(of: Array(path.folded.utf8))
    }

    /// The document.
    package func encoded() -> [UInt8] {
        var writer = StoreDocumentWriter(isPretty: false)
        writer.object { writer in
            writer.member("version", 1)
            writer.member("exact_path", path.text)
            writer.member("folded_path", path.folded)
            writer.member("role", role.rawValue)
        }
        return writer.bytes
    }

    private static let mostBytes = 16 << 10

    /// - Throws: ``ContentStoreError``: `damaged`; `newer` for a version behind 1; `unsupported` for more than 16 KiB.
    package init(parsing bytes: [UInt8]) throws(ContentStoreError) {
        let fields = try DocumentFields(parsing: bytes, "name reservation", mostBytes: Self.mostBytes)
        let version: UInt32 = try fields.number("version")
        guard version == 1 else {
            throw ContentStoreError(
                .newer, "name reservations of version \(version) are newer than this program",
                remedy: .updateProgram)
        }
        guard let role = Role(rawValue: try fields.text("role")) else { throw fields.invalid("role") }
        let path = try StorePath(lenient: try fields.text("exact_path"))
        // Folding differs between versions of Unicode for characters that are new: the recorded text is no evidence.
        guard try !fields.text("folded_path").isEmpty else { throw fields.invalid("folded_path") }
        self.init(path, role)
    }
}
