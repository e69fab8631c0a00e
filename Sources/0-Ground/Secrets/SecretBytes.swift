import CValiseSodium
import ValiseFailures

/// Bytes that must not leak: a passphrase or a key.
///
/// They lie in libsodium's guarded memory (locked where the system allows, between guard pages, wiped when
/// freed), are lent by closure only, compared in constant time, and never printed.
@safe public struct SecretBytes: ~Copyable, @unchecked Sendable {
    // Unchecked: whoever has it is the only owner, as it cannot be copied; the bytes are written before the init returns, and
    // changed never again.
    private let memory: UnsafeMutableRawPointer

    /// How many bytes there are.
    public let count: Int

    /// What was derived from this secret and its copies; nil for one that remembers nothing, as most do.
    package private(set) var derivedKeys: DerivedKeyMemory?

    /// Guarded memory of `capacity` bytes, filled by the closure, which returns how many of them it used.
    ///
    /// - Parameters:
    ///   - capacity: the most that `fill` may write.
    ///   - fill: gets memory of zeros; what it leaves behind its returned count is wiped.
    /// - Throws: `SecretsError` when no guarded memory is available; whatever `fill` throws.
    public init(
        capacity: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws {
        guard sodium_init() >= 0 else { throw SecretsError(.failed, "cannot initialize libsodium") }
        // One spare byte: an allocation of none is not portable.
        guard let memory = unsafe sodium_malloc(capacity + 1) else {
            throw SecretsError(.failed, "cannot allocate locked memory (size: \(capacity))")
        }
        unsafe sodium_memzero(memory, capacity + 1)
        do {
            let used = try unsafe fill(UnsafeMutableRawBufferPointer(start: memory, count: capacity))
            precondition(used >= 0 && used <= capacity, "secret longer than its memory")
            unsafe sodium_memzero(memory + used, capacity + 1 - used)
            count = used
        } catch {
            unsafe sodium_free(memory)
            throw error
        }
        unsafe self.memory = unsafe memory
    }

    /// A copy of `bytes`. Wipe the original where it was secret.
    /// - Throws: `SecretsError` when no guarded memory is available.
    public init(copying bytes: some Collection<UInt8>) throws {
        try unsafe self.init(capacity: bytes.count) { memory in
            unsafe memory.copyBytes(from: bytes)
            return bytes.count
        }
    }

    /// The empty secret: in this project's formats, "no encryption".
    /// - Throws: `SecretsError` when no guarded memory is available.
    package static func empty() throws -> SecretBytes {
        try SecretBytes(copying: [])
    }

    deinit { unsafe sodium_free(memory) }

    /// Whether there are no bytes.
    package var isEmpty: Bool { count == 0 }

    /// Lends the bytes. They must not be kept.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Lends the bytes with a zero behind them, which is part of the guarded memory.
    package borrowing func withTerminatedBytes<Result>(_ body: (UnsafePointer<CChar>) throws -> Result)
        rethrows -> Result
    {
        try unsafe body(UnsafeRawPointer(memory).assumingMemoryBound(to: CChar.self))
    }

    /// Compares in constant time.
    package borrowing func equals(_ other: borrowing SecretBytes) -> Bool {
        unsafe count == other.count && sodium_memcmp(memory, other.memory, count) == 0
    }

    /// A second copy in guarded memory of its own. What one of them remembers of derived keys, the other does.
    /// - Throws: ``SecretsError`` when no guarded memory is available.
    package borrowing func duplicate() throws -> SecretBytes {
        let source = unsafe UnsafeRawBufferPointer(start: memory, count: count)
        var copy = try unsafe SecretBytes(capacity: count) { target in
            unsafe target.copyMemory(from: source)
            return source.count
        }
        copy.derivedKeys = derivedKeys
        return copy
    }

    /// A copy that remembers which keys were derived from it: for an operation that opens the same databases again and again, as
    /// each derivation takes as long as reading hundreds of megabytes.
    /// - Throws: ``SecretsError`` when no guarded memory is available.
    package borrowing func rememberingKeys() throws -> SecretBytes {
        var copy = try duplicate()
        copy.derivedKeys = copy.derivedKeys ?? DerivedKeyMemory()
        return copy
    }

    /// What may be printed of a secret.
    package borrowing func describe() -> String { "<redacted>" }
}
