import SystemPackage
package import ValiseFailures
package import ValiseFiles

/// Why a tar, cpio or 7z archive was refused, or could not be written.
package struct ContainerError: Failure {
    /// What is wrong, one case for each defense. Those of names are `ZipError.Defect`.
    package enum Defect: String, Sendable, CaseIterable {
        case notAnArchive, severalPackings, truncated, data, trailingData, checksum
        case nameMissing, nameDuplicate, nameCase, nameFileAsFolder
        case symbolicLink, hardLink, specialFile, folderWithData, encrypted
        case size, ratio, totalSize, tooManyEntries
        /// It would have to be read at any place.
        case needsZip
        case changed, space, output
        /// The system does not have the library that reads and writes it.
        case noLibrary
    }

    package let code: FailureCode
    package let defect: Defect
    package let message: String
    /// The entry, where one is meant.
    package let entry: String?
    /// The archive, where it is known.
    package let archive: String?
    package let remedy: Remedy?

    package var cause: (any Error)? { nil }
    package var subject: String? {
        let parts = [archive, entry].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }

    package init(
        _ code: FailureCode, _ defect: Defect, _ message: String, entry: String? = nil,
        archive: String? = nil, remedy: Remedy? = nil
    ) {
        self.code = code
        self.defect = defect
        self.message = message
        self.entry = entry
        self.archive = archive
        self.remedy = remedy
    }

    /// The same error of an entry in this archive. What is damaged can be salvaged.
    func naming(archive: FilePath, entry: String?) -> ContainerError {
        ContainerError(
            code, defect, message, entry: self.entry ?? entry, archive: self.archive ?? archive.string,
            remedy: remedy ?? (code == .damaged ? .salvageArchive(archive) : nil))
    }

    /// For what reads an archive at any place: a zip alone can be.
    /// - Throws: ``ContainerError`` with `unsupported` for an archive that is known and no zip; errors of the source.
    package static func refuseContainer(_ archive: any ByteSource) throws {
        guard let kind = try ContainerKind(of: archive) else { return }
        throw ContainerError(
            .unsupported, .needsZip,
            "\(kind.article) \(kind.rawValue) archive, but only a zip or a folder is supported here. "
                + "Nothing was changed.",
            archive: archive.path.string, remedy: .extractArchive(archive.path))
    }

    /// That of a zip that is cut.
    static let truncatedArchive = "truncated archive: it was not copied or downloaded completely"

    /// Whether it is about one entry, behind which the others can be read.
    package var isOfOneEntry: Bool {
        switch defect {
        case .nameMissing, .nameDuplicate, .nameCase, .nameFileAsFolder, .symbolicLink, .hardLink,
            .specialFile, .folderWithData:
            true
        case .notAnArchive, .severalPackings, .truncated, .data, .trailingData, .checksum, .encrypted, .size,
            .ratio, .totalSize, .tooManyEntries, .needsZip, .changed, .space, .output, .noLibrary:
            false
        }
    }

    static var encrypted: ContainerError {
        unsupported(.encrypted, "protected by a passphrase of its own, which is not supported")
    }

    static var noMemory: ContainerError { ContainerError(.failed, .output, "cannot allocate memory") }

    static func damaged(_ defect: Defect, _ message: String, entry: String? = nil) -> ContainerError {
        ContainerError(.damaged, defect, message, entry: entry)
    }

    static func unsupported(
        _ defect: Defect, _ message: String, entry: String? = nil, remedy: Remedy? = nil
    ) -> ContainerError {
        ContainerError(.unsupported, defect, message, entry: entry, remedy: remedy)
    }
}
