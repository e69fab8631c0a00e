import ValiseStorage

/// Writes an index file, one pack after the other. All blobs of a pack are in the same file.
package struct IndexEncoder {
    private var writer: GoJSONWriter
    /// Blobs so far.
    package private(set) var count = 0

    /// Starts an empty file.
    package init() {
        writer = GoJSONWriter()
        writer.beginObject()
        writer.name("packs")
        writer.beginArray()
    }

    /// Whether the next pack shall be in another file.
    package var isFull: Bool { count >= IndexRecord.mostBlobs }

    /// Adds a pack. Marks and times of rustic are not written.
    package mutating func append(_ pack: IndexedPack) {
        count += pack.blobs.count
        writer.beginObject()
        writer.name("id")
        writer.value(pack.id)
        writer.name("blobs")
        writer.beginArray()
        for blob in pack.blobs { append(blob) }
        writer.endArray()
        writer.endObject()
    }

    private mutating func append(_ blob: IndexedBlob) {
        writer.beginObject()
        writer.name("id")
        writer.value(blob.id)
        writer.name("type")
        writer.value(blob.kind.name)
        writer.name("offset")
        writer.value(blob.offset)
        writer.name("length")
        writer.value(blob.length)
        if let length = blob.uncompressedLength {
            writer.name("uncompressed_length")
            writer.value(length)
        }
        writer.endObject()
    }

    /// Ends the file.
    /// - Returns: its JSON.
    package consuming func finish() -> [UInt8] {
        writer.endArray()
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }
}
