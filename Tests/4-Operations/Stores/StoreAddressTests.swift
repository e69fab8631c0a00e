import SystemPackage
import Testing
import ValiseContentStore

@testable import Valise

/// How users name stores, and files of them in the place of accounts.
struct StoreAddressTests {
    @Test func `the addresses of tcfs have the bucket as prefix where none is given`() throws {
        #expect(try StoreAddress("seaweedfs://host:8333/tcfs").layout.prefix == "tcfs")
        #expect(try StoreAddress("seaweedfs+https://host/tcfs/a/b").layout.prefix == "a/b")
        #expect(try StoreAddress("s3:https://host/tcfs").layout.prefix == "")
        #expect(try StoreAddress("s3:host/bucket/data").layout.prefix == "data")
        let folder = try StoreAddress("/srv/store")
        #expect(folder.layout.prefix == "" && folder.folder == "/srv/store")
    }

    @Test func `addresses of one store have one name in what is remembered`() throws {
        let texts = [
            "seaweedfs://HOST/tcfs", "seaweedfs+http://host:80/tcfs/tcfs", "s3:http://host/tcfs/tcfs/",
        ]
        let names = Set(try texts.map { try StoreAddress($0).canonicalText })
        #expect(names == ["s3:http://host/tcfs/tcfs"])
        let others = ["s3:http://host/tcfs", "s3:https://host/tcfs/tcfs", "s3:http://host:8333/tcfs/tcfs"]
        for text in others { #expect(!names.contains(try StoreAddress(text).canonicalText), "\(text)") }
    }

    @Test(arguments: [
        "ftp://host/x", "https://host/bucket", "s3:https://host", "seaweedfs://host:8333", "s3:",
    ])
    func `what is no address is refused`(text: String) {
        #expect(throws: (any Error).self) { try StoreAddress(text) }
    }

    @Test(arguments: [
        ("store:///srv/tcfs::a/b.zip", "/srv/tcfs", "a/b.zip"),
        ("store://s3:https://host/bucket/data::b.zip", "s3:https://host/bucket/data", "b.zip"),
        ("store://seaweedfs://host:8333/tcfs::b.zip", "seaweedfs://host:8333/tcfs", "b.zip"),
        ("store:///srv/with::colons::b.zip", "/srv/with::colons", "b.zip"),
        ("store:///srv/tcfs::", "/srv/tcfs", ""),
    ])
    func `a name keeps its address although a path has no two slashes`(
        text: String, store: String, path: String
    ) throws {
        let found = try StoreName.find(FilePath(text))
        let name = try #require(found)
        #expect(name.store.text == store && name.path == path)
        #expect(name.text == "store://\(store)::\(path)")
    }

    @Test func `a path is no name, and a name without a path is refused`() throws {
        #expect(try StoreName.find("/srv/store") == nil)
        #expect(try StoreName.find("store/x::y") == nil)
        #expect(throws: OperationError.self) { try StoreName.find("store:///srv/tcfs") }
        #expect(try SnapshotName.find("store:///srv/tcfs::latest") == nil)
    }

    @Test func `keys come from the environment, and a passphrase needs one salt`() throws {
        func source(_ variables: [String: String]) throws -> StoreKeySource {
            try StoreKeySource { variables[$0] }
        }
        #expect(try source([:]).master == nil)
        guard case .file("/k")? = try source(["VALISE_STORE_KEY_FILE": "/k"]).master else {
            Issue.record("no key file")
            return
        }
        let passphrase = ["VALISE_STORE_PASSPHRASE_FILE": "/p"]
        #expect(throws: OperationError.self) { try source(passphrase) }
        let hex = passphrase.merging(["VALISE_STORE_SALT_HEX": "00"]) { $1 }
        guard case .passphrase(_, .hex("00"))? = try source(hex).master else {
            Issue.record("no salt")
            return
        }
        #expect(throws: OperationError.self) {
            try source(hex.merging(["VALISE_STORE_SALT_TEXT": "x"]) { $1 })
        }
        #expect(try source(["VALISE_STORE_IDENTITY": "/i"]).identity == "/i")
    }
}
