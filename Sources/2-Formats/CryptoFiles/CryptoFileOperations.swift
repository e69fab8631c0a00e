package import SystemPackage
import ValiseConcurrency
import ValiseCryptography
import ValiseFailures
package import ValiseFiles

/// Encrypts, decrypts and proves one file, from and to paths and streams. Nothing is replaced in place, and what
/// fails leaves nothing behind.
package struct CryptoFileOperations: Sendable {
    let fileSystem: FileSystem
    private let workers: Int

    package init(fileSystem: FileSystem = FileSystem(), workers: Int = ParallelBatches.workers) {
        self.fileSystem = fileSystem
        self.workers = workers
    }

    // MARK: Encrypting

    /// Encrypts a file.
    ///
    /// With a `keyOutput`, key and nonce are durable in that file before the encrypted file has its name, and
    /// before the first byte of a stream; neither of the two files is ever replaced, because a key would be lost.
    ///
    /// - Parameters:
    ///   - input: what is read.
    ///   - output: what is written.
    ///   - args: fresh ones: with the same, two files would give each other away.
    ///   - keyFile: the file that these were read from, where it is one: it is not written over.
    ///   - keyOutput: a new file of mode 0600 for the JSON of a ``CryptoFile``.
    ///   - progress: gets the number of bytes done; throw to stop.
    /// - Returns: how many bytes of content there were.
    /// - Throws: `FileError`: `alreadyExists`; ``CryptoFileError``: `invalid` where one file has two roles;
    ///   errors of the input and the output; whatever `progress` throws.
    @discardableResult
    package func encrypt(
        _ input: CryptoFileInput, to output: CryptoFileOutput, _ args: CryptoFileArgs,
        keyFile: FileAttributes? = nil, keyOutput: FilePath? = nil,
        progress: (Int64) throws -> Void = { _ in }
    ) throws -> Int64 {
        if case .file(let path, _) = output, let keyOutput {
            try AbandonedEncryption.refuse(path, key: keyOutput, fileSystem: fileSystem)
        }
        try CryptoFileRoles(fileSystem).check(input, output, keyFile: keyFile, keyOutput: keyOutput)
        let keyWriter = try keyOutput.map { try CryptoKeyFile($0, fileSystem: fileSystem) }
        switch output {
        case .stream(let write):
            return try keepingKey(keyWriter) {
                try keyWriter?.publish(CryptoFile(filePath: "-", cryptoArgs: args))
                return try unsafe CryptoFilePipe.encrypt(
                    args, read: input.reading(), write: write, progress: progress)
            }
        case .file(let path, let replacing):
            let pending = try PendingFile(path, fileSystem: fileSystem)
            let writer = ParallelWriter(try pending.open())
            let size = try encrypt(input, to: writer, args, progress)
            try writer.synchronize()
            try keepingKey(keyWriter, pending) {
                try keyWriter?.publish(
                    CryptoFile(filePath: path.lastComponent?.string ?? path.string, cryptoArgs: args))
                try pending.publish(replacing: replacing && keyOutput == nil)
            }
            return size
        }
    }

    /// Takes the key back when nothing was encrypted with it.
    private func keepingKey<Result>(
        _ keyFile: CryptoKeyFile?, _ pending: PendingFile? = nil, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            // The file may have its name although that is not durable: then its key stays. So it does in doubt.
            let isPublished = try pending?.hasFinalName() ?? false
            if !isPublished { keyFile?.undo() }
            throw error
        }
    }

    private func encrypt(
        _ input: CryptoFileInput, to writer: ParallelWriter, _ args: CryptoFileArgs,
        _ progress: (Int64) throws -> Void
    ) throws -> Int64 {
        switch input.form {
        case .source(let source):
            try CryptoFileCipher(workers: workers).encrypt(source, to: writer, args, progress: progress)
            return source.size
        case .stream(let read):
            return try unsafe CryptoFilePipe.encrypt(
                args, read: read, write: writer.appending(), progress: progress)
        }
    }

    // MARK: Decrypting

    /// Decrypts a file. A file of the output appears only when the whole was proved.
    ///
    /// What goes to a stream is proved in a first pass, so that not one byte of a false file is handed out.
    ///
    /// - Parameters:
    ///   - input: what is read.
    ///   - output: what is written.
    ///   - args: key and nonce.
    ///   - keyFile: the file that `args` were read from, where it is one: it is not written over.
    ///   - unverified: hands out to a stream in one pass, and tells at the end whether it was true. Needed where
    ///     the input cannot be read twice.
    ///   - progress: gets the number of bytes done, in the last pass; throw to stop.
    /// - Returns: how many bytes of content there were.
    /// - Throws: ``CryptoFileError``: `damaged` for a key that does not fit or a changed file, `invalid` where
    ///   `unverified` is needed; `FileError`; errors of the input and the output; whatever `progress` throws.
    @discardableResult
    package func decrypt(
        _ input: CryptoFileInput, to output: CryptoFileOutput, _ args: CryptoFileArgs,
        keyFile: FileAttributes? = nil, unverified: Bool = false,
        progress: (Int64) throws -> Void = { _ in }
    ) throws -> Int64 {
        try CryptoFileRoles(fileSystem).check(input, output, keyFile: keyFile)
        switch output {
        case .stream(let write):
            return try unsafe decrypt(input, write, args, unverified, progress)
        case .file(let path, let replacing):
            let pending = try PendingFile(path, fileSystem: fileSystem)
            let writer = ParallelWriter(try pending.open())
            let size: Int64
            do {
                size = try decrypt(input, to: writer, args, progress)
            } catch let error as CryptoFileError where error.code == .damaged {
                throw error.adding("Nothing was written.")
            }
            try writer.synchronize()
            let content = try ReplaceableContent.like(pending.partial, fileSystem: fileSystem)
            try pending.publish(replacing: replacing, content)
            return size
        }
    }

    /// Refuses what ``decrypt(_:to:_:keyFile:unverified:progress:)`` would refuse whatever the key is: before anybody is
    /// asked for one.
    /// - Throws: ``CryptoFileError``: `invalid`; `FileError`: `alreadyExists`, `notFound`, `unsupported`.
    package func checkDecryption(
        _ input: CryptoFileInput, to output: CryptoFileOutput, unverified: Bool = false
    ) throws {
        try CryptoFileRoles(fileSystem).check(input, output, keyFile: nil)
        switch output {
        case .stream:
            guard unverified || input.canBeReadTwice else {
                throw CryptoFileError.cannotBeReadTwice(input.path)
            }
        case .file(let path, _):
            guard try fileSystem.isDirectory(path.parentFolder) else {
                throw FileError.noFolder(path.parentFolder)
            }
        }
    }

    private func decrypt(
        _ input: CryptoFileInput, to writer: ParallelWriter, _ args: CryptoFileArgs,
        _ progress: (Int64) throws -> Void
    ) throws -> Int64 {
        switch input.form {
        case .source(let source):
            try CryptoFileCipher(workers: workers).decrypt(source, to: writer, args, progress: progress)
            return source.size - CryptoFileCipher.overhead
        case .stream(let read):
            return try unsafe CryptoFilePipe.decrypt(
                args, name: input.path, read: read, write: writer.appending(), progress: progress)
        }
    }

    private func decrypt(
        _ input: CryptoFileInput, _ write: CryptoFilePipe.Writing, _ args: CryptoFileArgs, _ unverified: Bool,
        _ progress: (Int64) throws -> Void
    ) throws -> Int64 {
        if !unverified {
            guard input.canBeReadTwice else { throw CryptoFileError.cannotBeReadTwice(input.path) }
            try verify(input, args) { _ in try progress(0) }
        }
        return try unsafe CryptoFilePipe.decrypt(
            args, name: input.path, read: input.reading(), write: write, progress: progress)
    }

    // MARK: Proving

    /// Proves that a file is whole and that these are its keys, without writing anything.
    /// - Returns: how many bytes of content there are.
    /// - Throws: ``CryptoFileError``: `damaged`; errors of the input; whatever `progress` throws.
    @discardableResult
    package func verify(
        _ input: CryptoFileInput, _ args: CryptoFileArgs, progress: (Int64) throws -> Void = { _ in }
    ) throws -> Int64 {
        switch input.form {
        case .source(let source):
            try CryptoFileCipher(workers: workers).verify(source, args, progress: progress)
            return source.size - CryptoFileCipher.overhead
        case .stream(let read):
            return try unsafe CryptoFilePipe.decrypt(
                args, name: input.path, read: read, write: { _ in }, progress: progress)
        }
    }
}

extension ParallelWriter {
    /// Writes piece after piece.
    func appending() -> CryptoFilePipe.Writing {
        var offset: Int64 = 0
        return { [self] piece in
            try unsafe write(piece, at: offset)
            offset += Int64(piece.count)
            startWriteback(upTo: offset)
        }
    }
}
