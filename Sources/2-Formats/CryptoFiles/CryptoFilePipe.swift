package import SystemPackage

/// Encrypts and decrypts from one closure to another, for what can be read only once. Memory does not grow.
package enum CryptoFilePipe {
    /// Fills some of the buffer and says how much; 0 at the end.
    package typealias Reading = (UnsafeMutableRawBufferPointer) throws -> Int
    /// Takes all of the buffer.
    package typealias Writing = (UnsafeRawBufferPointer) throws -> Void

    private static let bufferSize = 256 << 10

    /// Writes the encrypted form of what is read.
    ///
    /// - Parameters:
    ///   - args: key and nonce.
    ///   - read: gives what goes in.
    ///   - write: takes what comes out.
    ///   - progress: gets the number of bytes done; throw to stop.
    /// - Returns: how many bytes of content there were.
    /// - Throws: `SecretsError`; whatever the closures throw.
    @discardableResult
    package static func encrypt(
        _ args: CryptoFileArgs, read: Reading, write: Writing, progress: (Int64) throws -> Void = { _ in }
    ) throws -> Int64 {
        var encryptor = try CryptoFileEncryptor(args)
        try unsafe forEachPiece(read) { piece in
            unsafe encryptor.update(piece)
            try unsafe write(UnsafeRawBufferPointer(piece))
            try progress(encryptor.count)
        }
        let count = encryptor.count
        try unsafe encryptor.finish().withUnsafeBytes(write)
        return count
    }

    /// Writes the content of what is read. It is proved only when this returns.
    ///
    /// - Parameters:
    ///   - args: key and nonce.
    ///   - name: what errors call the encrypted file.
    ///   - read: gives what goes in.
    ///   - write: takes what comes out.
    ///   - progress: gets the number of bytes done; throw to stop.
    /// - Returns: how many bytes of content there were.
    /// - Throws: ``CryptoFileError``: `damaged`, after everything was written; `SecretsError`; whatever the
    ///   closures throw.
    @discardableResult
    package static func decrypt(
        _ args: CryptoFileArgs, name: FilePath, read: Reading, write: Writing,
        progress: (Int64) throws -> Void = { _ in }
    ) throws -> Int64 {
        var decryptor = try CryptoFileDecryptor(args, name: name)
        try unsafe forEachPiece(read) { piece in
            let content = unsafe decryptor.update(piece)
            if unsafe !content.isEmpty { try unsafe write(content) }
            try progress(decryptor.count)
        }
        let count = decryptor.count
        try decryptor.finish()
        return count
    }

    private static func forEachPiece(
        _ read: Reading, _ body: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 4096)
        defer { unsafe buffer.deallocate() }
        while true {
            let count = try unsafe read(buffer)
            if count == 0 { return }
            try unsafe body(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
