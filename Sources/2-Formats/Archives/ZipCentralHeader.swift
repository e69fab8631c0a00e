import ValiseEncoding
import ValiseFiles

/// One header of the central directory.
enum ZipCentralHeader {
    private static let fixedLength = 46

    static func read(_ window: inout ZipWindow, _ file: borrowing OpenFile) throws -> ZipEntry {
        var fixed = ByteReader(try window.take(fixedLength, file))
        guard try fixed.littleEndian(UInt32.self) == 0x0201_4b50 else {
            throw ZipError.damaged(.directoryDamaged, "the central directory is damaged")
        }
        let madeBy = try fixed.littleEndian(UInt16.self)
        let versionNeeded = try fixed.littleEndian(UInt16.self)
        let flags = try fixed.littleEndian(UInt16.self)
        let methodCode = try fixed.littleEndian(UInt16.self)
        let time = try fixed.littleEndian(UInt16.self)
        let date = try fixed.littleEndian(UInt16.self)
        let checksum = try fixed.littleEndian(UInt32.self)
        let compressed = try fixed.littleEndian(UInt32.self)
        let uncompressed = try fixed.littleEndian(UInt32.self)
        let nameLength = try fixed.littleEndian(UInt16.self)
        let extraLength = try fixed.littleEndian(UInt16.self)
        let commentLength = try fixed.littleEndian(UInt16.self)
        let disk = try fixed.littleEndian(UInt16.self)
        try fixed.skip(2)
        let attributes = try fixed.littleEndian(UInt32.self)
        let offset = try fixed.littleEndian(UInt32.self)

        var rawName = Array(try window.take(Int(nameLength), file))
        let extra = try window.take(Int(extraLength), file)
        _ = try window.take(Int(commentLength), file)

        let storedName = rawName
        let isFolder = rawName.last == UInt8(ascii: "/")
        if isFolder { rawName.removeLast() }
        let name = try ZipName.check(rawName)

        guard disk == 0 || disk == 0xffff else {
            throw ZipError.unsupported(
                .severalDisks, "stored on another disk of a multi-disk archive", entry: name)
        }
        guard flags & 0x2041 == 0 else {
            throw ZipError.unsupported(
                .encrypted, "encrypted entry, but account archives have no zip password", entry: name)
        }
        guard let method = ZipMethod(rawValue: methodCode) else {
            throw ZipError.unsupported(
                .method, "compression method \(methodCode); only stored and deflated are supported",
                entry: name)
        }
        guard versionNeeded & 0xff <= 63 else {
            throw ZipError.unsupported(.version, "requires a newer zip version", entry: name)
        }
        try checkKind(attributes, madeBy: madeBy, isFolder: isFolder, name: name)
        let fields = try ZipExtraFields(extra, entry: name)
        try fields.checkUnicodeName(against: storedName, entry: name)
        let sizes = try fields.sizes(
            uncompressed: uncompressed, compressed: compressed, offset: offset, entry: name)
        guard !isFolder || sizes.uncompressed == 0 else {
            throw ZipError.unsupported(.folderWithData, "folder entry with data", entry: name)
        }
        return ZipEntry(
            name: name, isFolder: isFolder, method: method, compressedSize: sizes.compressed,
            size: sizes.uncompressed, checksum: checksum,
            modified: EntryTime(
                dosTime: time, dosDate: date, unix: fields.modificationTime),
            localOffset: sizes.offset, flags: flags)
    }

    /// Unix programs put the file's mode into the upper half of the external attributes.
    private static func checkKind(
        _ attributes: UInt32, madeBy: UInt16, isFolder: Bool, name: String
    ) throws(ZipError) {
        // The folder bit of DOS, which libarchive, for one, believes whatever the name says.
        guard isFolder || attributes & 0x10 == 0 else {
            throw .unsupported(.specialFile, "marked as a folder but named as a file", entry: name)
        }
        let system = madeBy >> 8
        guard system == 3 || system == 19 else { return }
        switch attributes >> 16 & 0xf000 {
        case 0, 0x8000: break
        case 0x4000:
            guard isFolder else {
                throw .unsupported(.specialFile, "marked as a folder but named as a file", entry: name)
            }
        case 0xa000: throw .unsupported(.symbolicLink, "is a symbolic link", entry: name)
        default: throw .unsupported(.specialFile, "is a device, pipe or socket", entry: name)
        }
    }
}
