import CValiseMultiBuffer
import CValiseOpenSSL
import ValiseSecrets

/// OpenSSL's libcrypto: one page after the other, all settings, everywhere.
@safe final class LibcryptoEngine: PageEngine {
    private let cipher: OpaquePointer
    /// Started with the key once; each page takes it up from there.
    private let mac: OpaquePointer?
    private let tagSize: Int
    private let key: CipherKey
    private var direction: Int32?
    private var tag = [UInt8](repeating: 0, count: 64)

    init(_ settings: CipherSettings, _ key: CipherKey) throws(PageCipherError) {
        guard let cipher = unsafe EVP_CIPHER_CTX_new() else { throw .library("initialize") }
        unsafe self.cipher = unsafe cipher
        self.key = key
        tagSize = settings.hmacAlgorithm?.size ?? 0
        guard let algorithm = settings.hmacAlgorithm else {
            unsafe mac = nil
            return
        }
        do throws(PageCipherError) {
            unsafe mac = try unsafe Self.makeMAC(algorithm, key)
        } catch {
            unsafe EVP_CIPHER_CTX_free(cipher)
            throw error
        }
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(cipher)
        unsafe EVP_MAC_CTX_free(mac)
    }

    private static func makeMAC(
        _ algorithm: HashAlgorithm, _ key: CipherKey
    ) throws(PageCipherError) -> OpaquePointer {
        guard let implementation = unsafe EVP_MAC_fetch(nil, "HMAC", nil) else {
            throw .library("initialize")
        }
        defer { unsafe EVP_MAC_free(implementation) }
        guard let context = unsafe EVP_MAC_CTX_new(implementation) else { throw .library("initialize") }
        var name = Array(algorithm.rawValue.utf8CString)
        // The parameter keeps both addresses: as an argument a string would live for that call only.
        let started = unsafe OSSL_MAC_PARAM_DIGEST.withCString { parameter in
            unsafe name.withUnsafeMutableBufferPointer { name in
                let parameters = unsafe [
                    OSSL_PARAM_construct_utf8_string(parameter, name.baseAddress, 0),
                    OSSL_PARAM_construct_end(),
                ]
                return unsafe key.hmac.bytes.withBytes {
                    unsafe EVP_MAC_init(
                        context, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count, parameters)
                }
            }
        }
        guard started == 1 else {
            unsafe EVP_MAC_CTX_free(context)
            throw .library("initialize")
        }
        return unsafe context
    }

    func open(
        _ pages: UnsafeMutableBufferPointer<valise_page>, checks: Bool, decrypts: Bool
    ) throws(PageCipherError) {
        for index in pages.indices {
            let page = unsafe pages[index]
            if checks, unsafe mac != nil {
                try unsafe authenticate(page)
                let found = unsafe page.content + Int(page.body) + CipherSettings.ivSize
                unsafe pages[index].intact = unsafe CRYPTO_memcmp(tag, found, tagSize) == 0
            } else {
                unsafe pages[index].intact = true
            }
            if decrypts { try unsafe transform(page, direction: 0) }
        }
    }

    func seal(_ pages: UnsafeMutableBufferPointer<valise_page>) throws(PageCipherError) {
        for index in pages.indices {
            let page = unsafe pages[index]
            try unsafe transform(page, direction: 1)
            guard unsafe mac != nil else { continue }
            try unsafe authenticate(page)
            unsafe (page.content + Int(page.body) + CipherSettings.ivSize).update(from: tag, count: tagSize)
        }
    }

    /// Direction: 1 encrypts, 0 decrypts, as in libcrypto.
    private func transform(_ page: valise_page, direction: Int32) throws(PageCipherError) {
        var result: Int32 = 1
        if self.direction != direction {
            result = unsafe key.encryption.bytes.withBytes {
                unsafe EVP_CipherInit_ex(
                    cipher, EVP_aes_256_cbc(), nil, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), nil,
                    direction)
            }
            unsafe EVP_CIPHER_CTX_set_padding(cipher, 0)
            self.direction = direction
        }
        var written: Int32 = 0
        let iv = unsafe page.content + Int(page.body)
        guard result == 1, unsafe EVP_CipherInit_ex(cipher, nil, nil, nil, iv, -1) == 1,
            unsafe EVP_CipherUpdate(cipher, page.content, &written, page.content, Int32(page.body)) == 1,
            unsafe written == Int32(page.body)
        else { throw .library("encrypt or decrypt a page") }
    }

    private func authenticate(_ page: valise_page) throws(PageCipherError) {
        let number = (0..<4).map { unsafe UInt8(truncatingIfNeeded: page.number >> (8 * $0)) }
        var written = 0
        guard unsafe EVP_MAC_init(mac, nil, 0, nil) == 1,
            unsafe EVP_MAC_update(mac, page.content, Int(page.body) + CipherSettings.ivSize) == 1,
            unsafe EVP_MAC_update(mac, number, number.count) == 1,
            unsafe EVP_MAC_final(mac, &tag, &written, tag.count) == 1
        else { throw .library("authenticate a page") }
    }
}
