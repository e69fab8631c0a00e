/// A context of a C library and its only owner, which frees it at its end.
@safe struct OwnedContext: ~Copyable, @unchecked Sendable {
    // Unchecked: whoever has it is the only owner, as it cannot be copied, and the context is nobody else's. A context of
    // libcrypto or libzstd may be used by any thread, one at a time.
    let pointer: OpaquePointer
    private let free: @Sendable (OpaquePointer) -> Void

    /// Takes a context over; nil where there was no memory for one.
    init?(_ pointer: OpaquePointer?, free: @escaping @Sendable (OpaquePointer) -> Void) {
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.pointer = unsafe pointer
        unsafe self.free = unsafe free
    }

    deinit { unsafe free(pointer) }
}
