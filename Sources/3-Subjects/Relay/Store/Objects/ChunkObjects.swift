package import SystemPackage
import ValiseFailures
package import ValiseFiles
package import ValiseStorage

/// The bodies of chunks as objects of a storage server, each under a prefix and the text of its name (decision 73).
///
/// Each upload has a name of its own, so an object is written once and never replaced, and nobody knows of it before the records do.
/// A body is in a file without a name while it comes in and while it goes out: a server takes an object with its length and digest
/// only, which are known at the end, and it promises nobody the rest of an object that is removed while it is read. So a transfer
/// takes disk space of its size, little memory, and one request.
///
/// Whatever the server's failure is, clients are told to come again: nothing that is wrong with a server, or with its keys, is wrong
/// with their file. The exception is a server without space.
package final class ChunkObjects: ChunkBytes {
    /// What keys begin with.
    package static let usualPrefix = "chunks/"

    private let objects: any ObjectStore
    private let spool: FilePath
    private let prefix: String
    private let fileSystem: FileSystem

    /// - Parameters:
    ///   - objects: where the bodies are. Its requests should be over within seconds, also with all repetitions
    ///     (``RetryRules/whileClientsWait``): clients wait.
    ///   - spool: the folder of files for transfers, which have no names and go with this process. It exists, and is for this user alone.
    ///   - prefix: what keys begin with, with a slash at its end. What others have there is left alone.
    ///   - fileSystem: of the folder.
    package init(
        _ objects: any ObjectStore, spool: FilePath, prefix: String = ChunkObjects.usualPrefix,
        fileSystem: FileSystem = FileSystem()
    ) {
        self.objects = objects
        self.spool = spool
        self.prefix = prefix
        self.fileSystem = fileSystem
    }

    package var sharesNames: Bool { false }

    package func location(of name: BodyName) -> String { "\(objects.location)/\(prefix)\(name.text)" }

    private func key(of name: BodyName) throws(StorageError) -> ObjectKey {
        try ObjectKey(prefix + name.text)
    }

    private func newFile() throws(XFTPStoreError) -> OpenFile {
        try Self.spooling { () throws(FileError) in try fileSystem.createUnnamed(in: spool) }
    }

    /// Translates failures of the folder. Clients come again: it is full for as long as others have transfers, and what they sent or
    /// want is elsewhere.
    static func spooling<Value: ~Copyable>(
        _ body: () throws(FileError) -> Value
    ) throws(XFTPStoreError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw unavailable(error)
        }
    }

    /// What was written to a file of the folder.
    static func source(_ file: consuming OpenFile) throws(XFTPStoreError) -> FileSource {
        do throws(FileError) {
            return try FileSource(file)
        } catch {
            throw unavailable(error)
        }
    }

    private static func unavailable(_ error: FileError) -> XFTPStoreError {
        .unavailable(
            "cannot keep a chunk for its transfer: \(error.message)", subject: error.path.string, cause: error
        )
    }

    // MARK: Bodies

    package func begin(_ name: BodyName, size: UInt32, digest: [UInt8]) throws -> any IncomingBody {
        IncomingObject(self, name, size: size, digest: digest, try newFile())
    }

    /// Stores an object. It may be there although this fails.
    func store(_ source: any ByteSource, digest: [UInt8], as name: BodyName) throws {
        try objects.put(try key(of: name), ObjectSource(source, digest: digest), if: .always)
    }

    /// Reads all of the body before it returns: what happens to the object then is no matter.
    package func open(_ name: BodyName, size: UInt32) throws -> (any OpenBody)? {
        var file = try newFile()
        do {
            let found = try unsafe objects.read(try key(of: name), 0..<Int64(size)) { piece, _ in
                try Self.spooling { () throws(FileError) in try unsafe file.write(piece) }
            }
            guard found == Int64(size) else { return nil }
        } catch let error as StorageError where error.isAbsence {
            return nil
        } catch {
            throw XFTPStoreError(storage: error)
        }
        return OpenedFile(try Self.source(file))
    }

    package func remove(_ name: BodyName) throws {
        do {
            try objects.remove(try key(of: name))
        } catch {
            throw XFTPStoreError(storage: error)
        }
    }

    // MARK: Lists

    /// In pages of the server's, of which one is in memory.
    package func list(after name: BodyName?, _ visit: (ListedBody) throws -> Bool) throws {
        var failure: (any Error)?
        do {
            try objects.list(prefix, isDelimited: true, after: name.map { prefix + $0.text }) { listed in
                guard let body = body(listed) else { return true }
                do {
                    return try visit(body)
                } catch {
                    failure = error
                    return false
                }
            }
        } catch {
            throw XFTPStoreError(storage: error)
        }
        if let failure { throw failure }
    }

    /// - Returns: nil for what is none of ours.
    private func body(_ listed: ListedObject) -> ListedBody? {
        guard case .object(let key, let attributes) = listed,
            let name = BodyName(Substring(key.text.utf8.dropFirst(prefix.utf8.count)))
        else { return nil }
        return ListedBody(name: name, size: attributes.size, modified: attributes.modified)
    }
}
