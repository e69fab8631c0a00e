package import SystemPackage
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
package import ValiseFiles
package import ValiseSecrets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A private folder with a file for each account. Not encrypted: who can read the user's files has the keys.
///
/// A file is named by a hash of the owner. It holds a line with the format, one with the owner's name, then
/// the bytes of the passphrase.
package struct FileKeyStore: KeyStore {
    package let name = "file"
    /// Where the files are.
    package let folder: FilePath
    private let fileSystem: FileSystem

    private static let magic = Array("valise key 1\n".utf8)
    private static let suffix = ".key"
    /// Two lines, of which the second is a path, each byte of which may be three.
    private static let longestHead = 16 << 10

    package init(folder: FilePath, fileSystem: FileSystem = FileSystem()) {
        self.folder = folder
        self.fileSystem = fileSystem
    }

    package func check() throws { try checkFolder() }

    package func store(_ passphrase: borrowing SecretBytes, for owner: KeyOwner) throws {
        try attempt {
            try fileSystem.makeDirectories(folder)
            try checkFolder()
            let path = path(of: owner)
            let beside = path.appendingSuffix(".new")
            if try fileSystem.exists(beside) { try fileSystem.remove(beside) }
            var file = try fileSystem.create(beside)
            do {
                try file.write(Self.magic + Array((owner.name + "\n").utf8))
                try unsafe passphrase.withBytes { try unsafe file.write($0) }
                try file.synchronize()
                try file.close()
                try fileSystem.rename(beside, to: path)
            } catch {
                try? fileSystem.remove(beside)
                throw error
            }
            try fileSystem.synchronizeDirectory(folder)
        }
    }

    package func lookup(_ owner: KeyOwner) throws -> SecretBytes? {
        try attempt {
            let path = path(of: owner)
            guard try fileSystem.exists(path) else { return nil }
            try checkFolder()
            let file = try open(path)
            let head = try head(of: file, path)
            guard head.owner == owner else {
                throw failure(.store, "\(path) belongs to another account", remedy: .moveAway(path))
            }
            let length = try file.size() - Int64(head.length)
            guard length <= Int64(KeyLimits.longest) else {
                throw failure(.store, "\(path) is longer than any passphrase")
            }
            return try unsafe SecretBytes(capacity: Int(length)) { memory in
                var count = 0
                while count < memory.count {
                    let got = try unsafe file.read(
                        into: UnsafeMutableRawBufferPointer(rebasing: memory[count...]),
                        at: Int64(head.length + count))
                    if got == 0 { break }
                    count += got
                }
                return count
            }
        }
    }

    package func forget(_ owner: KeyOwner) throws -> Bool {
        try attempt {
            let path = path(of: owner)
            guard try fileSystem.exists(path) else { return false }
            try fileSystem.remove(path)
            try fileSystem.synchronizeDirectory(folder)
            return true
        }
    }

    package func list() throws -> [KeyOwner] {
        try attempt {
            guard try fileSystem.exists(folder) else { return [] }
            try checkFolder()
            var owners: [KeyOwner] = []
            for entry in try fileSystem.list(folder) {
                guard let name = entry.name, name.hasSuffix(Self.suffix), entry.kind == .regular else {
                    continue
                }
                let path = folder.appending(name)
                owners.append(try head(of: try open(path), path).owner)
            }
            return owners.sorted { $0.name < $1.name }
        }
    }

    // MARK: Parts

    private func path(of owner: KeyOwner) -> FilePath {
        let digest = SHA256.hash(Array(owner.name.utf8))
        return folder.appending(Hexadecimal.encode(digest.prefix(16)) + Self.suffix)
    }

    private func open(_ path: FilePath) throws -> OpenFile {
        let file = try fileSystem.openForReading(path)
        try file.withDescriptor {
            try FileKeySource.checkPrivate(FileDescriptor(rawValue: $0), path)
        }
        return file
    }

    private func head(
        of file: borrowing OpenFile, _ path: FilePath
    ) throws -> (owner: KeyOwner, length: Int) {
        // The passphrase begins somewhere behind, so this is wiped.
        let bytes = try unsafe SecretBytes(capacity: Self.longestHead) {
            try unsafe file.read(into: $0, at: 0)
        }
        let head: (owner: KeyOwner, length: Int)? = unsafe bytes.withBytes { bytes in
            guard unsafe bytes.starts(with: Self.magic) else { return nil }
            let rest = unsafe bytes[Self.magic.count...]
            guard let end = unsafe rest.firstIndex(of: UInt8(ascii: "\n")),
                let name = unsafe String(validating: rest[..<end], as: UTF8.self),
                let owner = KeyOwner(name: name)
            else { return nil }
            return (owner, end + 1)
        }
        guard let head else {
            throw failure(.store, "\(path) is not a passphrase file of this store", remedy: .moveAway(path))
        }
        return head
    }

    /// The folder is the user's own, and nobody else gets in.
    private func checkFolder() throws {
        var status = stat()
        guard unsafe folder.withPlatformString({ unsafe stat($0, &status) }) == 0 else {
            if errno == ENOENT { return }
            let reason = FileError.reason(Errno(rawValue: errno))
            throw failure(.store, "cannot access the folder \(folder): \(reason)")
        }
        guard status.st_uid == geteuid() else {
            throw KeyStorageError(
                .store, .denied, "the folder \(folder) belongs to another user, who can read and change it",
                name)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw KeyStorageError(
                .store, .denied,
                "the folder \(folder) must be accessible only to you",
                name, remedy: .makePrivate(folder, isFolder: true, secret: "passphrases"))
        }
    }

    /// A failure of a file is one of the store.
    private func attempt<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as any Failure where !((error as? KeyStorageError)?.isStoreFailure ?? false) {
            throw KeyStorageError(
                .store, error.code, error.message, error.subject ?? name, cause: error.cause,
                remedy: error.remedy)
        }
    }
}
