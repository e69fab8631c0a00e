import FaultInjection
import StoreContract
import Synchronization
import SystemPackage
import Testing
import ValiseFailures
import ValiseFiles

@testable import ValiseStorage

/// The promises of a store, asked of servers that others wrote.
@Suite(.serialized) struct RemoteContractTests {
    /// A new repository for each call.
    private final class Places: Sendable {
        private let count = Mutex(0)

        func next() -> String {
            count.withLock { count in
                count += 1
                return "repository-\(count)"
            }
        }
    }

    private let places = Places()
    private let files = 1100

    private func store(_ peer: StoragePeer) throws -> RESTStore { RESTStore(try peer.address(places.next())) }

    @Test(.enabled(if: StoragePeer.isThere(.rclone)), arguments: [true, false])
    func `rclone keeps the contract, but for files that it shows before they are complete`(removes: Bool)
        throws
    {
        let peer = try StoragePeer(.rclone, removes ? [] : ["--append-only"])
        let contract = BlobStoreContract(listedFiles: files, removes: removes, isAtomic: false)
        try contract.check { try store(peer) }
    }

    @Test(.enabled(if: StoragePeer.isThere(.restServer)), arguments: [true, false])
    func `rest-server keeps the contract`(removes: Bool) throws {
        let peer = try StoragePeer(.restServer, removes ? [] : ["--append-only"])
        try BlobStoreContract(listedFiles: files, removes: removes).check { try store(peer) }
    }

    @Test(.enabled(if: StoragePeer.isThere(.moto)), arguments: [true, false])
    func `the S3 of moto keeps the contract, with the bucket in the path and in the name`(isPathStyle: Bool)
        throws
    {
        let peer = try StoragePeer(.moto)
        try BlobStoreContract(listedFiles: files).check {
            var settings = try peer.bucket("a b/c:d/\(places.next())/")
            if !isPathStyle {
                let port = try #require(settings.endpoint.port)
                settings = S3Store.Settings(
                    endpoint: try HTTPAddress("http://localhost:\(port)"), bucket: settings.bucket,
                    prefix: settings.prefix, region: settings.region, accessKey: settings.accessKey,
                    secret: settings.secret)
                settings.isPathStyle = false
            }
            // Under several threads it fails now and then over its own tables, with 500.
            return RetryingStore(try S3Store(settings), RetryRules(mostAttempts: 4))
        }
    }

    /// The one that verifies signatures.
    @Test(.enabled(if: StoragePeer.isThere(.swift)))
    func `the S3 of OpenStack Swift keeps the contract, and refuses wrong keys`() throws {
        let peer = try StoragePeer(.swift)
        try BlobStoreContract(listedFiles: 120, threads: 4).check {
            try S3Store(try peer.bucket("a b/c:d/\(places.next())"))
        }
        let wrong = try S3Store(try peer.bucket(secret: "wrong"))
        let error = try #require(storageFailure { try wrong.create() })
        #expect(error.kind == .credentials && error.code == .denied && error.remedy == .checkServerPassword)
        let late = try S3Store(try peer.bucket(), now: { 1_369_353_600 })
        #expect(storageFailure { try late.create() }?.kind == .clock)
        #expect(storageFailure { _ = try late.size(of: .config) }?.remedy == .setClock)
        let other = S3Store.Settings(
            endpoint: try peer.address(), bucket: "nobodys", region: "us-east-1",
            accessKey: try peer.bucket().accessKey, secret: try peer.bucket().secret)
        let absent = try #require(storageFailure { try S3Store(other).create() })
        #expect(absent.code == .notFound && absent.subject == "nobodys")
        peer.stop()
    }

    @Test(.enabled(if: StoragePeer.isThere(.rclone)))
    func `a password goes over TLS to a server whose certificate is trusted`() throws {
        let peer = try StoragePeer(.rclone, ["--tls", "--user", "ann", "--password", "geheim"])
        let address = try peer.address("a")
        var settings = HTTPTransfer.Settings()
        let strange = try #require(storageFailure { try RESTStore(address, settings).create() })
        #expect(strange.code == .denied && strange.message.contains("certificate") && !strange.isTransient)
        settings.authorities = FilePath(peer.authorities)
        let nobody = try #require(storageFailure { try RESTStore(address, settings).create() })
        #expect(nobody.kind == .credentials && nobody.message.contains("asks for"))
        settings.user = "ann"
        settings.password = try StoragePeer.secret("wrong")
        let wrong = try #require(storageFailure { try RESTStore(address, settings).create() })
        #expect(wrong.kind == .credentials && !"\(wrong)".contains("wrong"))
        settings.password = try StoragePeer.secret("geheim")
        let store = RESTStore(address, settings)
        try store.create()
        try store.put(.config, [1, 2, 3])
        #expect(try store.get(.config) == [1, 2, 3])
        settings.authorities = FilePath(peer.authorities + "-none")
        let missing = try #require(storageFailure { try RESTStore(address, settings).create() })
        #expect(missing.code == .invalid && missing.message.contains("certificates"))
        peer.stop()
    }

    @Test(
        .enabled(if: StoragePeer.isThere(.rclone)), .enabled(if: StoragePeer.isThere(.restServer)),
        arguments: [StoragePeer.Kind.rclone, .restServer])
    func `a server that only appends refuses to remove, by a kind of its own`(kind: StoragePeer.Kind) throws {
        let peer = try StoragePeer(kind, ["--append-only"])
        let store = try store(peer)
        try store.create()
        let name = stored(.snapshots, [1])
        try store.put(name, [1])
        let error = try #require(storageFailure { try store.remove(name) })
        #expect(error.kind == .appendOnly && error.code == .denied && !error.isTransient)
        #expect(try store.get(name) == [1])
        peer.stop()
    }
}
