import CValiseOpenSSL
import Synchronization
import SystemPackage
import ValiseConcurrency
import ValiseCryptography
import ValiseFiles
import ValisePages
import ValiseSecrets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// What this machine can do at most, for the benchmarks: each engine of the page cipher in memory, and one
// derivation of a key. One line each: name, workers, MB/s or seconds. With the argument `text`, how long texts take instead.

private let pageSize = CipherSettings.format4.pageSize
private let batch = 256
private let rounds = 400

private func key(_ digits: String) throws -> CipherKey {
    let text = "x'" + String(repeating: digits, count: 48) + "'"
    return try CipherKey(
        passphrase: SecretBytes(copying: Array(text.utf8)), salt: KeyDerivation.makeSalt(), settings: .format4
    )
}

/// Megabytes per second of a piece of work on sealed batches.
private func measure(
    _ engine: PageEngineKind, workers: Int,
    _ work: @escaping @Sendable (PageCodec, PageCodec, TransferBuffer) throws -> Void
) throws -> Double {
    let (old, new) = (try key("5a"), try key("c3"))
    let spent = Mutex<[Duration]>([])
    try ParallelBatches.run(count: workers, workers: workers) {
    } work: { _, _ in
        let codecs = (
            try PageCodec(.format4, old, engine: engine), try PageCodec(.format4, new, engine: engine)
        )
        let (memory, sealed) = (makeMemory(batch * pageSize), makeMemory(batch * pageSize))
        try codecs.0.seal(sealed.bytes, first: 2)
        var time = Duration.zero
        for _ in 0..<rounds {
            memory.bytes.copyMemory(from: UnsafeRawBufferPointer(sealed.bytes))
            time += try ContinuousClock().measure { try work(codecs.0, codecs.1, memory) }
        }
        spent.withLock { $0.append(time) }
    }
    let seconds = spent.withLock { $0.map { $0 / .seconds(1) }.max() ?? 1 }
    return Double(workers * rounds * batch * pageSize) / 1e6 / seconds
}

/// Memory that is not all zeros.
private func makeMemory(_ count: Int) -> TransferBuffer {
    let memory = TransferBuffer(byteCount: count, inLargePages: false)
    memory.bytes.initializeMemory(as: UInt8.self, repeating: 7)
    return memory
}

if CommandLine.arguments.dropFirst().first == "text" {
    TextLimits.print()
    exit(0)
}

let engines: [PageEngineKind] =
    PageEngineKind.best(for: .format4) == .multiBuffer ? [.libcrypto, .multiBuffer] : [.libcrypto]
for engine in engines {
    for workers in Set([1, ParallelBatches.workers]).sorted() {
        let verified = try measure(engine, workers: workers) { old, _, memory in
            _ = try old.open(memory.bytes, first: 2, decrypts: false)
        }
        let rekeyed = try measure(engine, workers: workers) { old, new, memory in
            _ = try old.open(memory.bytes, first: 2)
            try new.seal(memory.bytes, first: 2)
        }
        print("verify \(engine) \(workers) \(Int(verified)) MB/s")
        print("rekey \(engine) \(workers) \(Int(rekeyed)) MB/s")
    }
}
for engine in engines {
    let fingerprint = try Fingerprint(engine: engine)
    let cost = try cost { _ = try fingerprint.sum(UnsafeRawBufferPointer($0)) }
    print("fingerprint \(engine) 1 \(Int(1 / cost / 1e6)) MB/s")
}
let derivation = try ContinuousClock().measure {
    _ = try CipherKey(
        passphrase: SecretBytes(copying: Array("bench".utf8)), salt: KeyDerivation.makeSalt(),
        settings: .format4)
}
print("derivation libcrypto 1 \(derivation / .seconds(1)) s")

/// What libsodium's `crypto_secretbox_detached` does with a piece of memory, in place, on one core.
private func measureSecretBox() throws -> Double {
    var bytes = [UInt8](repeating: 7, count: 16 << 20)
    bytes.reserveCapacity(bytes.count + SecretBox.tagByteCount)
    let (key, nonce) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 24))
    let rounds = 30
    let time = try ContinuousClock().measure {
        for _ in 0..<rounds {
            try SecretBox.sealWithTagAtEnd(&bytes, key: key, nonce: nonce)
            bytes.removeLast(SecretBox.tagByteCount)
        }
    }
    return Double(rounds * bytes.count) / 1e6 / (time / .seconds(1))
}
print("secretbox libsodium 1 \(Int(try measureSecretBox())) MB/s")

// What every byte of a file costs that is sent to a relay, on one core: the encryption of the file, the digest of the
// whole, that of its chunk, and TLS.

/// Seconds for a byte.
private func cost(_ work: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows -> Double {
    let memory = makeMemory(4 << 20)
    let rounds = 64
    let time = try ContinuousClock().measure { for _ in 0..<rounds { try work(memory.bytes) } }
    return time / .seconds(1) / Double(rounds * memory.bytes.count)
}

/// Encrypts 16 KiB records as TLS does with its suite for XFTP.
private func sealRecords(_ bytes: UnsafeMutableRawBufferPointer) {
    let record = 16 << 10
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    let key = [UInt8](repeating: 1, count: 32)
    EVP_EncryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nil)
    for start in stride(from: 0, to: bytes.count, by: record) {
        let nonce = [UInt8](repeating: UInt8(truncatingIfNeeded: start / record), count: 12)
        var (length, tag) = (Int32(0), [UInt8](repeating: 0, count: 16))
        let place = bytes.baseAddress!.advanced(by: start).assumingMemoryBound(to: UInt8.self)
        EVP_EncryptInit_ex(context, nil, nil, nil, nonce)
        EVP_EncryptUpdate(context, place, &length, place, Int32(record))
        EVP_EncryptFinal_ex(context, place, &length)
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag)
    }
}

let stream = try SecretBoxStream()
[UInt8](repeating: 1, count: 32).withUnsafeBytes { key in
    [UInt8](repeating: 2, count: 24).withUnsafeBytes { stream.start(key: key, nonce: $0) }
}
let costs = [
    (
        "encryption",
        cost { bytes in
            stream.exclusiveOr(bytes, at: 0)
            stream.authenticate(UnsafeRawBufferPointer(bytes))
        }
    ),
    (
        "sha256",
        cost { bytes in
            var digest = SHA256()
            digest.update(UnsafeRawBufferPointer(bytes))
            _ = digest.finalize()
        }
    ),
    (
        "sha512",
        cost { bytes in
            var digest = SHA512()
            digest.update(UnsafeRawBufferPointer(bytes))
            _ = digest.finalize()
        }
    ),
    ("tls", cost(sealRecords)),
]
for (name, cost) in costs { print("transfer \(name) 1 \(Int(1 / cost / 1e6)) MB/s") }
print("transfer all 1 \(Int(1 / costs.reduce(0) { $0 + $1.1 } / 1e6)) MB/s")
