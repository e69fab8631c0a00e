package import ValiseFailures

/// Why a zip archive was refused, or could not be written.
package struct ZipError: Failure {
    /// What is wrong with an archive, one case for each defense.
    package enum Defect: String, Sendable, CaseIterable {
        case notAZip, emptyFile, truncated, endRecordMissing, trailingBytes, severalDisks, entryCount
        case directoryDamaged, directoryOverlap, prefixBytes
        case nameEmpty, nameNotUTF8, nameAbsolute, nameParent, nameDot, nameEmptyComponent, nameBackslash
        case nameDrive, nameDevice, nameControl, nameReserved, nameTrailing, nameTooLong, nameTooDeep,
            nameTwin
        case nameDuplicate, nameCase, nameFileAsFolder
        case symbolicLink, specialFile, folderWithData
        case encrypted, method, version
        case localMissing, localName, localMethod, localFlags, localSizes, localOutside, overlap
        case hiddenEntry
        case zip64, ratio, totalSize, tooManyEntries, checksum, sizeMismatch, data
        case output
    }

    package let code: FailureCode
    package let defect: Defect
    package let message: String
    /// The entry, where one is meant.
    package let entry: String?
    /// The archive, where it is known.
    package private(set) var archive: String?
    package let cause: (any Error)?
    package let remedy: Remedy?
    package var subject: String? {
        let parts = [archive, entry].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }

    /// The same error of an entry in this archive.
    package func naming(archive: String) -> ZipError {
        var named = self
        named.archive = archive
        return named
    }

    package init(
        _ code: FailureCode, _ defect: Defect, _ message: String, entry: String? = nil,
        cause: (any Error)? = nil, remedy: Remedy? = nil
    ) {
        self.code = code
        self.defect = defect
        self.message = message
        self.entry = entry
        self.cause = cause
        self.remedy = remedy
    }

    static func damaged(_ defect: Defect, _ message: String, entry: String? = nil) -> ZipError {
        ZipError(.damaged, defect, message, entry: entry)
    }

    static func unsupported(
        _ defect: Defect, _ message: String, entry: String? = nil, remedy: Remedy? = nil
    ) -> ZipError {
        ZipError(.unsupported, defect, message, entry: entry, remedy: remedy)
    }

    static func nameTooLong(_ name: String) -> ZipError {
        unsupported(.nameTooLong, "name longer than 65,535 bytes", entry: name)
    }
}
