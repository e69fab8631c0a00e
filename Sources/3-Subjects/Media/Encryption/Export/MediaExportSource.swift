import SystemPackage
import ValiseAccounts
import ValiseCryptoFiles
import ValiseEncoding
import ValiseFiles

/// Where the bytes of a row's file are, or why they cannot be had.
enum MediaExportSource {
    /// - Parameters:
    ///   - storedSize: as it lies there, in bytes.
    ///   - size: of the content, in bytes.
    case file(FilePath, storedSize: Int64, size: Int64)
    /// Not here, and not expected here.
    case notReceived
    case problem(MediaExportReport.Problem)

    /// - Throws: ``FileError`` where the system does not let us look.
    static func of(
        _ file: MediaReference, _ media: MediaFolder, includesOutside: Bool, _ fileSystem: FileSystem
    ) throws -> MediaExportSource {
        var place = try media.find(file.filePath)
        var path = place.name.map(media.path)
        if place == .elsewhere, includesOutside, file.filePath.utf8.first == UInt8(ascii: "/"),
            !file.filePath.utf8.contains(0)
        {
            let outside = FilePath(file.filePath)
            place = try look(outside, fileSystem)
            path = outside
        }
        // A row without a status is so old that nobody knows.
        if case .file(_, let storedSize) = place, let path, file.shouldBeHere || file.status == nil {
            return checked(file, path, storedSize)
        }
        guard file.shouldBeHere else { return .notReceived }
        return problem(file, place)
    }

    private static func look(_ path: FilePath, _ fileSystem: FileSystem) throws -> MediaPlace {
        let name = path.string
        let found: FileAttributes?
        do {
            found = try fileSystem.attributes(of: path)
        } catch  where error.errno == .fileNameTooLong {
            return .impossibleName(name)
        }
        guard let found else { return .missing(name: name) }
        switch found.kind {
        case .regular: return .file(name: name, size: found.size)
        case .symbolicLink: return .link(name: name)
        case .directory, .special: return .notAFile(name: name)
        }
    }

    private static func checked(_ file: MediaReference, _ path: FilePath, _ storedSize: Int64)
        -> MediaExportSource
    {
        guard file.keys != .broken else {
            return .problem(.init(.brokenKey, file, "its key in the database is incomplete"))
        }
        guard file.fileSize < 0 || file.expectedSize == storedSize else {
            let (found, expected) = Count.bytes(storedSize, and: file.expectedSize)
            return .problem(.init(.wrongSize, file, "it has \(found) instead of \(expected)"))
        }
        let overhead = file.keys == .complete ? CryptoFileCipher.overhead : 0
        let size = file.fileSize >= 0 ? file.fileSize : max(0, storedSize - overhead)
        return .file(path, storedSize: storedSize, size: size)
    }

    private static func problem(_ file: MediaReference, _ place: MediaPlace) -> MediaExportSource {
        switch place {
        case .missing, .file: .problem(.init(.missing, file, "missing"))
        case .elsewhere: .problem(.init(.elsewhere, file, "outside the account"))
        case .link: .problem(.init(.noFile, file, "a symbolic link, not a file"))
        case .notAFile: .problem(.init(.noFile, file, "not a regular file"))
        case .impossibleName: .problem(.init(.impossibleName, file, "not a valid file name"))
        }
    }
}

extension MediaExportReport.Problem {
    init(_ reason: MediaExportReport.Reason, _ file: MediaReference, _ message: String) {
        self.init(
            reason: reason, fileId: file.fileID, path: MediaExportEntry.recorded(file.filePath),
            message: message)
    }
}
