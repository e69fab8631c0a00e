import ValiseArchives

extension ArchiveImage {
    /// One file in the archive.
    package struct Entry: Sendable, Equatable {
        /// Its path in the archive.
        package let name: String
        /// In bytes.
        package let size: Int64
        /// The CRC-32 of its content.
        package let checksum: UInt32
        /// The SHA-256 of its content, 32 bytes.
        package let digest: [UInt8]
    }

    /// The files in the order that they have in the archive: the databases, the media, the wallpapers. Each is made
    /// when it is asked for, as there may be hundreds of thousands.
    package struct Entries: RandomAccessCollection, Sendable {
        let zip: ZipImage
        let files: [ScannedFile]

        package var startIndex: Int { 0 }
        package var endIndex: Int { files.count }

        package subscript(index: Int) -> Entry {
            let entry = zip[index]
            return Entry(
                name: entry.name, size: entry.size, checksum: entry.checksum,
                digest: files[index].digest.bytes)
        }
    }
}
