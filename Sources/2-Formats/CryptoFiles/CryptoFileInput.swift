package import SystemPackage
package import ValiseFiles

/// What is encrypted or decrypted: a file that can be read at any place, or a stream that comes once.
package struct CryptoFileInput {
    @safe enum Form {
        case source(any ByteSource)
        case stream(CryptoFilePipe.Reading)
    }

    /// What errors call it.
    package let path: FilePath
    /// Which file it is, where it is one.
    let attributes: FileAttributes?
    let form: Form

    /// A file by its path; links are followed.
    /// - Throws: `FileError`.
    package init(_ path: FilePath, fileSystem: FileSystem = FileSystem()) throws(FileError) {
        try self.init(file: FileSource(fileSystem.resolve(path), fileSystem: fileSystem), path: path)
    }

    /// A file that is open.
    /// - Throws: `FileError`.
    package init(file source: FileSource, path: FilePath? = nil) throws(FileError) {
        self.path = path ?? source.path
        attributes = try source.attributes()
        form = .source(source)
    }

    /// Bytes from anywhere.
    package init(source: any ByteSource) {
        path = source.path
        attributes = nil
        form = .source(source)
    }

    /// Bytes that come once.
    package init(stream name: FilePath, read: @escaping CryptoFilePipe.Reading) {
        path = name
        attributes = nil
        form = unsafe .stream(read)
    }

    /// Whether it can be read again: only then its content can be proved before any of it is handed out.
    package var canBeReadTwice: Bool {
        if case .source = form { true } else { false }
    }

    /// In bytes; nil where it is not known.
    package var size: Int64? {
        if case .source(let source) = form { source.size } else { nil }
    }

    /// Whether it is the file that is open under this descriptor.
    /// - Throws: `FileError`.
    package func isFile(behind descriptor: FileDescriptor) throws(FileError) -> Bool {
        guard let attributes else { return false }
        return try attributes.isSameFile(as: FileAttributes(descriptor: descriptor, path: path))
    }

    /// Reads from the start to the end.
    func reading() -> CryptoFilePipe.Reading {
        switch form {
        case .stream(let read): return unsafe read
        case .source(let source):
            var offset: Int64 = 0
            return { buffer in
                let count = Int(min(Int64(buffer.count), source.size - offset))
                try unsafe source.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
                offset += Int64(count)
                return count
            }
        }
    }
}

/// Where the result goes.
@safe package enum CryptoFileOutput {
    /// A file, which gets its name only when it is whole and durable.
    case file(FilePath, replacing: Bool)
    /// Somewhere else, such as a pipe.
    case stream(CryptoFilePipe.Writing)
}
