public import SystemPackage
import ValiseCryptoFiles
import ValiseFiles

/// Encrypts one file with its own key, in the format of encrypted media.
///
/// It never replaces a file, and the key is stored durably before the file appears.
public struct EncryptFile: Operation {
    package var source: FileInput
    package var target: FileOutput
    /// Nil for a new key, which is written. A key must never encrypt two different files: both could be read without it.
    public var key: FileKeyPlace?
    /// The new file for the key. Nil for the default place of a new one, `NAME.key.json`; a given key is then not written.
    public var keyOutput: FilePath?

    /// - Parameters:
    ///   - source: what is read.
    ///   - target: where the result goes.
    public init(_ source: FileInput, to target: FileOutput) {
        self.source = source
        self.target = target
    }

    public func plan(in context: OperationContext) async throws -> PlannedFiles {
        try await context.blocking { _ in try PlannedFiles(source, to: target, keyPlace) }
    }

    public func run(in context: OperationContext) async throws -> ConvertedFile {
        try await context.blocking { progress in
            let input = try source.open()
            let key = try key?.read() ?? .fresh()
            let keyOutput = try keyPlace
            let output = try target.checked(notInto: input, key)
            let size = try CryptoFileOperations().encrypt(
                input, to: output, key.args, keyFile: key.file, keyOutput: keyOutput
            ) {
                try progress(OperationProgress("encrypting \(input.path)", completed: $0, total: input.size))
            }
            return ConvertedFile(size: size, keyFile: keyOutput)
        }
    }

    private var keyPlace: FilePath? {
        get throws {
            if keyOutput != nil || key != nil { return keyOutput }
            guard case .path(let path, _) = target else {
                throw OperationError(.invalid, "no file given for the new key, which would be lost")
            }
            return FileKey.place(beside: path)
        }
    }
}

/// Decrypts one file after verifying that it is intact. A file appears only once all of it is verified.
public struct DecryptFile: Operation {
    package var source: FileInput
    package var target: FileOutput
    /// Nil for `NAME.key.json` beside the file; if there is none, the user is asked.
    public var key: FileKeyPlace?
    /// Whether content is written to a descriptor before it is verified; required if the source cannot be read twice.
    public var isUnverified = false

    /// - Parameters:
    ///   - source: what is read.
    ///   - target: where the result goes.
    public init(_ source: FileInput, to target: FileOutput) {
        self.source = source
        self.target = target
    }

    public func plan(in context: OperationContext) async throws -> PlannedFiles {
        try await context.blocking { _ in try PlannedFiles(source, to: target) }
    }

    public func run(in context: OperationContext) async throws -> ConvertedFile {
        try await context.blocking { progress in
            let input = try source.open()
            // Nobody is asked for a key in vain.
            try CryptoFileOperations().checkDecryption(
                input, to: target.checked(notInto: input), unverified: isUnverified)
            let key = try FileKey.existing(key, for: source, to: "decrypt it", context)
            let output = try target.checked(notInto: input, key)
            let size = try CryptoFileOperations().decrypt(
                input, to: output, key.args, keyFile: key.file, unverified: isUnverified
            ) {
                try progress(OperationProgress("decrypting \(input.path)", completed: $0, total: input.size))
            }
            return ConvertedFile(size: size)
        }
    }
}

extension PlannedFiles {
    /// Of a single file that is encrypted or decrypted. A descriptor has no place, and a pipe no size.
    fileprivate init(_ source: FileInput, to target: FileOutput, _ key: FilePath? = nil) throws {
        if case .path(let path) = source {
            let file = try FileSystem().resolve(path)
            guard let found = try FileSystem().attributes(of: file) else {
                throw FileError(cannot: "read", path, .noSuchFileOrDirectory)
            }
            bytesToProcess = found.size
        }
        guard case .path(let path, let replacing) = target else { return }
        try write([path] + (key.map { [$0] } ?? []))
        if let there = replaced.first, !replacing || there != path {
            throw OperationError(
                .alreadyExists, "already exists", subject: there.string,
                need: there == path ? .replacing : nil)
        }
        try lookAtSpace(for: path)
    }
}

/// A single file that was encrypted or decrypted.
public struct ConvertedFile: Sendable {
    /// The content size in bytes.
    public let size: Int64
    /// The key file; nil if none was written.
    public var keyFile: FilePath?
}

/// Verifies encrypted files and their keys. Read-only.
public struct VerifyFiles: Operation {
    package var files: [FileInput]
    /// Only for a single file, as each has its own key. Nil as for ``DecryptFile/key``.
    public var key: FileKeyPlace?

    /// - Parameter files: the files to verify.
    public init(_ files: [FileInput]) { self.files = files }

    public func run(in context: OperationContext) async throws -> VerifiedFiles {
        var verified: [VerifiedFile] = []
        for file in files {
            do {
                verified.append(VerifiedFile(size: try await verify(file, context)))
            } catch let failure as any Failure where failure.code != .interrupted {
                context.tell(failure, of: file.path.string)
                verified.append(VerifiedFile(failure: failure))
            }
        }
        return VerifiedFiles(files: verified)
    }

    private func verify(_ file: FileInput, _ context: OperationContext) async throws -> Int64 {
        try await context.blocking { progress in
            let input = try file.open()
            let key = try FileKey.existing(key, for: file, to: "verify it", context)
            return try CryptoFileOperations().verify(input, key.args) {
                try progress(OperationProgress("verifying \(input.path)", completed: $0, total: input.size))
            }
        }
    }
}

/// The verification results of files.
public struct VerifiedFiles: Sendable {
    /// In the order given.
    public let files: [VerifiedFile]
}

/// The verification result of one file.
public struct VerifiedFile: Sendable {
    /// The content size in bytes; nil if not verified.
    public var size: Int64?
    /// Why it was not verified.
    public var failure: (any Failure)?
}
