import CValiseMultiBuffer
import CValiseOpenSSL
import ValiseSecrets

/// OpenSSL's libcrypto: one page after the other, all settings, everywhere.
final class LibcryptoEngine: PageEngine {
    private let cipher: OpaquePointer
    /// Started with the key once; each page takes it up from there.
    private let mac: OpaquePointer?
    private let tagSize: Int
    private let key: CipherKey
    private var direction: Int32?
    private var tag = [UInt8](repeating: 0, count: 64)

    init(_ settings: CipherSettings, _ key: CipherKey) throws(PageCipherError) {
        guard let cipher = EVP_CIPHER_CTX_new() else { throw .library("be started") }
        self.cipher = cipher
        self.key = key
        tagSize = settings.hmacAlgorithm?.size ?? 0
        guard let algorithm = settings.hmacAlgorithm else {
            mac = nil
            return
        }
        do throws(PageCipherError) {
            mac = try Self.makeMAC(algorithm, key)
        } catch {
            EVP_CIPHER_CTX_free(cipher)
            throw error
        }
    }

    deinit {
        EVP_CIPHER_CTX_free(cipher)
        EVP_MAC_CTX_free(mac)
    }

    private static func makeMAC(
        _ algorithm: HashAlgorithm, _ key: CipherKey
    ) throws(PageCipherError) -> OpaquePointer {
        guard let implementation = EVP_MAC_fetch(nil, "HMAC", nil) else { throw .library("be started") }
        defer { EVP_MAC_free(implementation) }
        guard let context = EVP_MAC_CTX_new(implementation) else { throw .library("be started") }
        var name = Array(algorithm.rawValue.utf8CString)
        // The parameter keeps both addresses: as an argument a string would live for that call only.
        let started = OSSL_MAC_PARAM_DIGEST.withCString { parameter in
            name.withUnsafeMutableBufferPointer { name in
                let parameters = [
                    OSSL_PARAM_construct_utf8_string(parameter, name.baseAddress, 0),
                    OSSL_PARAM_construct_end(),
                ]
                return key.hmac.withBytes {
                    EVP_MAC_init(
                        context, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count, parameters)
                }
            }
        }
        guard started == 1 else {
            EVP_MAC_CTX_free(context)
            throw .library("be started")
        }
        return context
    }

    func open(
        _ pages: UnsafeMutableBufferPointer<valise_page>, checks: Bool, decrypts: Bool
    ) throws(PageCipherError) {
        for index in pages.indices {
            let page = pages[index]
            if checks, mac != nil {
                try authenticate(page)
                let found = page.content + Int(page.body) + CipherSettings.ivSize
                pages[index].intact = CRYPTO_memcmp(tag, found, tagSize) == 0
            } else {
                pages[index].intact = true
            }
            if decrypts { try transform(page, direction: 0) }
        }
    }

    func seal(_ pages: UnsafeMutableBufferPointer<valise_page>) throws(PageCipherError) {
        for page in pages {
            try transform(page, direction: 1)
            guard mac != nil else { continue }
            try authenticate(page)
            (page.content + Int(page.body) + CipherSettings.ivSize).update(from: tag, count: tagSize)
        }
    }

    /// Direction: 1 encrypts, 0 decrypts, as in libcrypto.
    private func transform(_ page: valise_page, direction: Int32) throws(PageCipherError) {
        var result: Int32 = 1
        if self.direction != direction {
            result = key.encryption.bytes.withBytes {
                EVP_CipherInit_ex(
                    cipher, EVP_aes_256_cbc(), nil, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), nil,
                    direction)
            }
            EVP_CIPHER_CTX_set_padding(cipher, 0)
            self.direction = direction
        }
        var written: Int32 = 0
        let iv = page.content + Int(page.body)
        guard result == 1, EVP_CipherInit_ex(cipher, nil, nil, nil, iv, -1) == 1,
            EVP_CipherUpdate(cipher, page.content, &written, page.content, Int32(page.body)) == 1,
            written == Int32(page.body)
        else { throw .library("encrypt or decrypt a page") }
    }

    private func authenticate(_ page: valise_page) throws(PageCipherError) {
        let number = (0..<4).map { UInt8(truncatingIfNeeded: page.number >> (8 * $0)) }
        var written = 0
        guard EVP_MAC_init(mac, nil, 0, nil) == 1,
            EVP_MAC_update(mac, page.content, Int(page.body) + CipherSettings.ivSize) == 1,
            EVP_MAC_update(mac, number, number.count) == 1,
            EVP_MAC_final(mac, &tag, &written, tag.count) == 1
        else { throw .library("authenticate a page") }
    }
}
