import CValiseOpenSSL
import NIOCore

/// What OpenSSL takes for its transport: the buffers of a ``TLSConnection``. OpenSSL's own memory BIO would copy the rest
/// of its content at each growth and never give memory back.
enum BufferBIO {
    /// Never freed: it belongs to the process.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        let kind = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
        guard let method = unsafe BIO_meth_new(kind, "ByteBuffer") else { return nil }
        unsafe BIO_meth_set_read(method, read)
        unsafe BIO_meth_set_write(method, write)
        unsafe BIO_meth_set_ctrl(method) { _, control, _, _ in control == BIO_CTRL_FLUSH ? 1 : 0 }
        return unsafe method
    }()

    /// - Parameter connection: a ``TLSConnection`` that outlives what is made.
    static func make(_ connection: UnsafeMutableRawPointer) -> OpaquePointer? {
        guard let method = unsafe method, let bio = unsafe BIO_new(method) else { return nil }
        unsafe BIO_set_data(bio, connection)
        unsafe BIO_set_init(bio, 1)
        return unsafe bio
    }

    private static func connection(_ bio: OpaquePointer?) -> TLSConnection? {
        unsafe BIO_get_data(bio).map { unsafe Unmanaged<TLSConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    /// All flags that say why a call did nothing.
    private static let retryFlags =
        BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_IO_SPECIAL | BIO_FLAGS_SHOULD_RETRY

    private static let read: @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, Int32) -> Int32 = {
        bio, target, size in
        unsafe BIO_clear_flags(bio, retryFlags)
        guard let connection = unsafe connection(bio), let target = unsafe target, size > 0 else { return -1 }
        let count = unsafe connection.provide(UnsafeMutableRawBufferPointer(start: target, count: Int(size)))
        guard count > 0 else {
            // Not the end: more may come.
            unsafe BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
            return -1
        }
        return Int32(count)
    }

    private static let write: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 = {
        bio, source, size in
        guard let connection = unsafe connection(bio), let source = unsafe source, size > 0 else { return -1 }
        unsafe connection.outgoing.writeBytes(UnsafeRawBufferPointer(start: source, count: Int(size)))
        return size
    }
}
