import StoreContract
import Synchronization
import Testing
import ValiseFailures

@testable import ValiseStorage

/// The promises of a store of objects, asked of servers that others wrote.
@Suite(.serialized) final class RemoteObjectContractTests {
    private let places = Mutex(0)

    private func nextPlace() -> String {
        places.withLock { places in
            places += 1
            return "objects-\(places)"
        }
    }

    @Test(.enabled(if: StoragePeer.isThere(.moto)))
    func `the S3 of moto keeps the contract`() throws {
        let peer = try StoragePeer(.moto)
        try ObjectStoreContract(listedObjects: 1100, threads: 6, comparesDigests: false).check {
            try S3ObjectStore(try peer.bucket("a b/é/\(nextPlace())"))
        }
        let store = try S3ObjectStore(try peer.bucket("a<b>&/é"))
        #expect(try store.setExpiry(below: "chunks/", afterDays: 4))
        #expect(try !store.setExpiry(below: "chunks/", afterDays: 4))
        #expect(try store.setExpiry(below: "chunks/", afterDays: 5), "the same rule with another time")
        #expect(
            storageFailure { _ = try store.setExpiry(below: "other/", afterDays: 5) }?.code == .alreadyExists)
        let whole = try S3ObjectStore(try peer.bucket())
        #expect(
            storageFailure { _ = try whole.setExpiry(below: "chunks/", afterDays: 5) }?.code == .alreadyExists
        )
        peer.stop()
    }

    /// It knows no `If-Match`, and says so.
    @Test(.enabled(if: StoragePeer.isThere(.swift)))
    func `the S3 of OpenStack Swift keeps the contract, but for updates with conditions`() throws {
        let peer = try StoragePeer(.swift)
        try ObjectStoreContract(listedObjects: 120, threads: 4, holdsConditions: false).check {
            try S3ObjectStore(try peer.bucket("a b/é/\(nextPlace())"))
        }
        let rules = try S3ObjectStore(try peer.bucket())
        #expect(storageFailure { _ = try rules.setExpiry(below: "a/", afterDays: 5) }?.code == .unsupported)
        let wrong = try S3ObjectStore(try peer.bucket(secret: "wrong"))
        #expect(storageFailure { _ = try wrong.listed("", false) }?.kind == .credentials)
        let key = try ObjectKey("a")
        let other = S3Store.Settings(
            endpoint: try peer.address(), bucket: "nobodys", region: "us-east-1",
            accessKey: try peer.bucket().accessKey, secret: try peer.bucket().secret)
        let absent = try S3ObjectStore(other)
        #expect(storageFailure { _ = try absent.attributes(of: key) }?.subject == "nobodys")
        peer.stop()
    }
}
