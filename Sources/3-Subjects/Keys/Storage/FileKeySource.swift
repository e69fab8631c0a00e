package import SystemPackage
import ValiseFailures
import ValiseFiles
package import ValiseSecrets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A passphrase from a file that nobody else can read; or from a pipe, which is nobody else's anyway.
package struct FileKeySource: KeySource {
    private let path: FilePath
    private let what: String
    private let checkpoint: () throws -> Void

    /// - Parameters:
    ///   - path: the file with the passphrase.
    ///   - what: what failures call the secret.
    ///   - checkpoint: called several times in a second while a pipe keeps us waiting.
    package init(
        _ path: FilePath, what: String = "passphrase", checkpoint: @escaping () throws -> Void = {}
    ) {
        self.path = path
        self.what = what
        self.checkpoint = checkpoint
    }

    package func read() throws -> SecretBytes {
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        } catch {
            let errno = error as? Errno ?? .ioError
            throw KeyStorageError(
                .source, errno == .noSuchFileOrDirectory ? .notFound : .denied,
                "cannot read the \(what) file: \(FileError.reason(errno))", path.string)
        }
        defer { try? descriptor.close() }
        try Self.checkPrivate(descriptor, path, what: what)
        return try DescriptorKeySource(
            descriptor, name: path.string, what: what, checkpoint: checkpoint
        ).read()
    }

    /// Refuses a regular file of somebody else, or one that others may read or write.
    /// - Throws: ``KeyStorageError`` with `denied`.
    package static func checkPrivate(
        _ descriptor: FileDescriptor, _ path: FilePath, what: String = "passphrase"
    ) throws(KeyStorageError) {
        var status = stat()
        guard unsafe fstat(descriptor.rawValue, &status) == 0 else {
            throw KeyStorageError(.source, .failed, "cannot access the \(what) file", path.string)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return }
        guard status.st_uid == geteuid() else {
            throw KeyStorageError(
                .source, .denied,
                "the \(what) file belongs to another user, who can read and change it",
                path.string, remedy: .copyPrivately)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw KeyStorageError(
                .source, .denied,
                "other users can read or change this \(what) file (mode \(octal(status.st_mode & 0o777)))",
                path.string, remedy: .makePrivate(path, isFolder: false, secret: what))
        }
    }

    private static func octal(_ mode: mode_t) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
