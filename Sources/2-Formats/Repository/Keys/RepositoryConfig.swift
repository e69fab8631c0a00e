import CValiseSodium
import ValiseEncoding
package import ValiseStorage

/// The file `config` of a repository: its version, its identity, and what restic cuts files with (section 2 of the fact sheet).
package struct RepositoryConfig: Hashable, Sendable {
    /// 1, or 2 with compression.
    package let version: Int
    /// 32 random bytes, the same for the life of a repository. They are no digest of anything.
    package let id: ContentID
    package let chunkerPolynomial: ChunkerPolynomial

    /// What is read and written.
    package static let versions = 1...2
    /// Those of other programs have some hundred bytes.
    private static let largest = 64 << 10

    package init(version: Int, id: ContentID, chunkerPolynomial: ChunkerPolynomial) {
        self.version = version
        self.id = id
        self.chunkerPolynomial = chunkerPolynomial
    }

    /// That of a new repository.
    /// - Throws: ``RepositoryError``: `invalid` for a version that does not exist.
    package static func make(version: Int = versions.upperBound) throws(RepositoryError) -> RepositoryConfig {
        var bytes = [UInt8](repeating: 0, count: ContentID.size)
        unsafe bytes.withUnsafeMutableBytes { unsafe randombytes_buf($0.baseAddress!, $0.count) }
        guard versions.contains(version), let id = ContentID(bytes) else {
            throw RepositoryError(.invalid, "no version \(version) of repositories exists")
        }
        return RepositoryConfig(version: version, id: id, chunkerPolynomial: .random())
    }

    // MARK: JSON

    /// Reads the document. Further fields, such as the settings that rustic keeps in it, are ignored.
    /// - Throws: ``RepositoryError``: `newer` for a later version, `damaged`.
    package init(decoding json: [UInt8]) throws(RepositoryError) {
        guard json.count <= Self.largest, let node = JSONNode(parsing: json),
            let version = node["version"]?.integerValue
        else { throw RepositoryError(.damaged, "the configuration is invalid") }
        guard version <= Int64(Self.versions.upperBound) else {
            throw RepositoryError(
                .newer, "the repository has version \(version), which is newer than this program")
        }
        guard version >= Int64(Self.versions.lowerBound),
            let id = node["id"]?.textValue.flatMap({ ContentID(text: $0) }),
            let polynomial = node["chunker_polynomial"]?.textValue
        else { throw RepositoryError(.damaged, "the configuration is invalid") }
        self.init(
            version: Int(version), id: id, chunkerPolynomial: try ChunkerPolynomial(text: polynomial))
    }

    /// The document, as restic writes it.
    package func encode() -> [UInt8] {
        var json: [UInt8] = []
        JSONNode.object([
            JSONNode.Member("version", .number(String(version))), JSONNode.Member("id", .text(id.text)),
            JSONNode.Member("chunker_polynomial", .text(chunkerPolynomial.text)),
        ]).write(to: &json)
        return json
    }

    // MARK: The file

    /// What is stored. It is never compressed, as only its content says whether there is compression.
    /// - Throws: ``RepositoryError``: `failed`; `SecretsError`.
    package func seal(_ key: MasterKey) throws -> [UInt8] { try key.seal(encode()) }

    /// Reads the stored file.
    /// - Throws: ``RepositoryError``: `newer`, `damaged`; `SecretsError`.
    package static func open(_ stored: [UInt8], _ key: MasterKey) throws -> RepositoryConfig {
        do {
            return try RepositoryConfig(decoding: try key.open(stored))
        } catch let error as RepositoryError {
            throw error.naming(.config)
        }
    }
}
