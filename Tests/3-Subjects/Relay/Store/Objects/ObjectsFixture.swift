import FaultInjection
import StoreContract
import Synchronization
import SystemPackage
import ValiseCryptography
import ValiseFiles
import ValiseStorage

@testable import ValiseRelay

/// Chunks as objects of a store, with a folder for transfers that goes with them.
enum ObjectsFixture {
    /// Keeps the folder for as long as its file system is used.
    private struct Keeper: FileInterposer {
        let folder: TemporaryFolder
        let faults: (any FileInterposer)?

        func verdict(on operation: FileOperation) -> FileOperationVerdict {
            faults?.verdict(on: operation) ?? .proceed
        }
    }

    static func chunks(
        _ objects: any ObjectStore, faults: (any FileInterposer)? = nil
    ) throws -> ChunkObjects {
        let folder = try TemporaryFolder("valise-spool", inMemory: true)
        return ChunkObjects(
            objects, spool: folder.path,
            fileSystem: FileSystem(interposer: Keeper(folder: folder, faults: faults)))
    }

    /// In a folder, gone with it.
    static func inFolder() throws -> ChunkObjects {
        let folder = try TemporaryFolder("valise-objects", inMemory: true)
        let fileSystem = FileSystem(interposer: Keeper(folder: folder, faults: nil))
        return try chunks(FolderObjectStore(folder.path, fileSystem: fileSystem))
    }

    // MARK: Servers

    /// One for all tests, which ends with this process.
    private static let moto = Result { try StoragePeer(.moto) }
    private static let places = Atomic(0)

    static var hasServer: Bool { StoragePeer.isThere(.moto) }

    /// Below a prefix of its own.
    static func onServer() throws -> ChunkObjects {
        let place = places.add(1, ordering: .relaxed).newValue
        let settings = try moto.get().bucket("relay-\(place)")
        return try chunks(RetryingObjectStore(try S3ObjectStore(settings), .whileClientsWait))
    }
}

/// A body that was announced.
struct SentBody {
    let name = BodyName(chunk: StoredID(), upload: .random(in: 1 ... .max))
    let content: [UInt8]

    init(_ number: Int, size: Int = 100) { content = StoreFixture.content(number, size: size) }

    /// Of this size, however large.
    init(of size: Int) { content = [UInt8](repeating: 7, count: size) }

    var size: UInt32 { UInt32(content.count) }

    /// - Returns: the body that was written, not finished.
    func written(to bytes: any ChunkBytes) throws -> any IncomingBody {
        let body = try bytes.begin(name, size: size, digest: SHA256.hash(content))
        try content.withUnsafeBytes { try body.write($0) }
        return body
    }

    func store(in bytes: any ChunkBytes) throws {
        let body = try written(to: bytes)
        try body.finish()
        try body.publish()
    }
}
