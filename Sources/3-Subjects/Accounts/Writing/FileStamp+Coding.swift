/// The keys under which a record has a ``FileStamp`` beside other things.
package struct FileStampKeys<Key: CodingKey>: Sendable {
    let inode: Key
    let size: Key
    let seconds: Key
    let nanoseconds: Key

    /// - Parameters:
    ///   - seconds: of the modification time.
    ///   - nanoseconds: of the same time.
    package init(inode: Key, size: Key, seconds: Key, nanoseconds: Key) {
        self.inode = inode
        self.size = size
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }
}

extension FileStamp {
    /// - Throws: `DecodingError`.
    package init<Key>(from container: KeyedDecodingContainer<Key>, _ keys: FileStampKeys<Key>) throws {
        let inode = try container.decode(UInt64.self, forKey: keys.inode)
        let size = try container.decode(Int64.self, forKey: keys.size)
        let seconds = try container.decode(Int64.self, forKey: keys.seconds)
        let nanoseconds = try container.decode(Int64.self, forKey: keys.nanoseconds)
        self.init(
            inode: inode, size: size, modificationTime: seconds, modificationNanoseconds: nanoseconds)
    }

    /// - Throws: `EncodingError`.
    package func encode<Key>(
        to container: inout KeyedEncodingContainer<Key>, _ keys: FileStampKeys<Key>
    ) throws {
        try container.encode(inode, forKey: keys.inode)
        try container.encode(size, forKey: keys.size)
        try container.encode(modificationTime, forKey: keys.seconds)
        try container.encode(modificationNanoseconds, forKey: keys.nanoseconds)
    }
}
