public import SystemPackage
import ValiseCryptoFiles

/// Encrypts one file as media are encrypted at rest, under a key of its own.
///
/// A file that it writes is never replaced, and its key is durable before it has its name.
public struct EncryptFile: Operation {
    package var source: FileInput
    package var target: FileOutput
    /// Nil for a fresh key, which is written. A key must never encrypt two different files: both could be read without it.
    public var key: FileKeyPlace?
    /// The new file for the key. Nil for the usual place of a fresh one, `NAME.key.json`; a given one is not written then.
    public var keyOutput: FilePath?

    /// - Parameters:
    ///   - source: what is read.
    ///   - target: where the result goes.
    public init(_ source: FileInput, to target: FileOutput) {
        self.source = source
        self.target = target
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
                throw OperationError(.invalid, "a fresh key has no place, and would be lost")
            }
            return FileKey.place(beside: path)
        }
    }
}

/// Decrypts one file, after proof that it is intact: a file appears only when all of it was proved.
public struct DecryptFile: Operation {
    package var source: FileInput
    package var target: FileOutput
    /// Nil for `NAME.key.json` beside the file where it is there; else the user is asked.
    public var key: FileKeyPlace?
    /// Whether a descriptor gets content before it is proved; needed where the source cannot be read twice.
    public var isUnverified = false

    /// - Parameters:
    ///   - source: what is read.
    ///   - target: where the result goes.
    public init(_ source: FileInput, to target: FileOutput) {
        self.source = source
        self.target = target
    }

    public func run(in context: OperationContext) async throws -> ConvertedFile {
        try await context.blocking { progress in
            let input = try source.open()
            let key = try FileKey.existing(key, for: source, context)
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

/// A single file that was encrypted or decrypted.
public struct ConvertedFile: Sendable {
    /// Of the content, in bytes.
    public let size: Int64
    /// The file with its key; nil where none was written.
    public var keyFile: FilePath?
}

/// Proves that encrypted files are intact and that their keys fit. Nothing is written.
public struct VerifyFiles: Operation {
    package var files: [FileInput]
    /// For one file alone: each has a key of its own. Nil as for ``DecryptFile/key``.
    public var key: FileKeyPlace?

    /// - Parameter files: what is verified.
    public init(_ files: [FileInput]) { self.files = files }

    /// - Returns: what came of each file, in their order.
    public func run(in context: OperationContext) async throws -> [VerifiedFile] {
        var verified: [VerifiedFile] = []
        for file in files {
            do {
                verified.append(VerifiedFile(size: try await verify(file, context)))
            } catch let failure as any Failure where failure.code != .interrupted {
                verified.append(VerifiedFile(failure: failure))
            }
        }
        return verified
    }

    private func verify(_ file: FileInput, _ context: OperationContext) async throws -> Int64 {
        try await context.blocking { progress in
            let input = try file.open()
            let key = try FileKey.existing(key, for: file, context)
            return try CryptoFileOperations().verify(input, key.args) {
                try progress(OperationProgress("verifying \(input.path)", completed: $0, total: input.size))
            }
        }
    }
}

/// What came of the proof of one file.
public struct VerifiedFile: Sendable {
    /// Of the content, in bytes; nil where it is not proved.
    public var size: Int64?
    /// Why it is not proved.
    public var failure: (any Failure)?
}
