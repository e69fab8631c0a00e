import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseFailures
import ValiseSecrets

@testable import ValiseContentStore

struct NameCipherTests {
    private let master: StoreKey

    init() throws {
        master = StoreKey(
            try StoreFixture.seed(hexadecimal: StoreFixture.text("hkdf_names", "master_key_hex")))
    }

    @Test func `derived keys are those of others`() throws {
        let manifest = try master.manifestKey().withBytes { Hexadecimal.encode($0) }
        let name = try master.nameKey().withBytes { Hexadecimal.encode($0) }
        #expect(try manifest == StoreFixture.text("hkdf_names", "manifest_key_hex"))
        #expect(try name == StoreFixture.text("hkdf_names", "name_key_hex"))
    }

    @Test func `names are encrypted as others do it`() throws {
        let cipher = try NameCipher(master)
        let names = try StoreFixture.list("hkdf_names", "names")
        #expect(names.count == 5)
        for item in names {
            #expect(try cipher.encrypt(item.required("name")) == item.required("hex"))
            #expect(try cipher.decrypt(item.required("hex")) == item.required("name"))
        }
        for item in try StoreFixture.list("hkdf_names", "unit_test_key_0x55") {
            let cipher = try NameCipher(
                nameKey: StoreFixture.seed(hexadecimal: item.required("name_key_hex")))
            #expect(try cipher.encrypt(item.required("name")) == item.required("hex"))
        }
    }

    @Test func `what does not open is an error, and no name is empty`() throws {
        let cipher = try NameCipher(master)
        let text = try cipher.encrypt("my-photo.jpg")
        let other = try NameCipher(StoreKey.random())
        for (cipher, text) in [
            (other, text), (cipher, ""), (cipher, String(text.dropLast(2))),
            (cipher, String(text.dropLast())),
            (cipher, "00" + text.dropFirst(2)), (cipher, String(text.prefix(32))),
        ] {
            let error = #expect(throws: ContentStoreError.self) { try cipher.decrypt(text) }
            #expect(error?.kind == .wrongKey)
        }
        let error = #expect(throws: CryptographyError.self) { try cipher.encrypt("") }
        #expect(error?.code == .invalid)
    }
}
