import CValiseOpenSSL
import NIOCore
import ValiseCryptography

/// One connection of OpenSSL between buffers: encrypted bytes in and out on one side, plaintext ones on the other. It does
/// no input or output of its own.
@safe final class TLSConnection {
    let ssl: OpaquePointer

    /// Encrypted bytes that OpenSSL has not taken yet. It takes all that is there before it asks for more.
    var incoming = ByteBuffer()

    /// Encrypted bytes to be sent.
    var outgoing = ByteBuffer()

    /// What it holds of a record that has not come whole, in bytes.
    private var held = 0

    /// What records without plaintext bytes have cost since the handshake, in bytes; plaintext ones pay it off.
    private var burden = 0
    private var isOpen = false

    /// Plain bytes that wait for a record to be full.
    private var partial = ByteBuffer()

    /// Whether all plaintext bytes that were packed are encrypted.
    var isSealed: Bool { partial.readableBytes == 0 }

    /// Why the peer's certificates were refused.
    var refusal: CertificateError?

    /// Whether the client was shown the web identity for its server name.
    var usesWebIdentity = false

    /// Nil on a server.
    let client: TLSClientSettings?
    private let context: TLSContext
    var webContext: TLSContext? { context.web }

    /// The most plaintext bytes that a record holds.
    static let recordSize = 16384

    /// What a record has with its head and its tag, at most.
    static let fullRecordSize = recordSize + 64

    /// So many plaintext bytes a record without any has to be followed by, in the long run.
    private static let wordCost = 16384

    /// So many such records may come without plain bytes between them: tickets, and keys that change. Honest peers send a
    /// few in all, and each makes work, or an answer that the peer may refuse to take.
    static let mostWords = 64

    init(client settings: TLSClientSettings) throws(TLSError) {
        context = try TLSContext.client.get()
        client = settings
        unsafe ssl = try unsafe Self.make(context)
        try attach()
        unsafe SSL_set_connect_state(ssl)
        guard let alpn = TLSContext.wireForm(settings.alpn),
            unsafe TLSContext.set(
                SSL_CTRL_SET_GROUPS_LIST, TLSGroup.list(settings.groups), { unsafe SSL_ctrl(ssl, $0, 0, $1) }),
            unsafe alpn.isEmpty || SSL_set_alpn_protos(ssl, alpn, UInt32(alpn.count)) == 0
        else { throw .library("set up a client connection") }
    }

    init(server settings: TLSServerSettings) throws(TLSError) {
        context = settings.context
        client = nil
        unsafe ssl = try unsafe Self.make(context)
        try attach()
        unsafe SSL_set_accept_state(ssl)
    }

    private static func make(_ context: TLSContext) throws(TLSError) -> OpaquePointer {
        OpenSSLError.clear()
        guard let ssl = unsafe SSL_new(context.handle) else { throw .library("create a connection") }
        return unsafe ssl
    }

    private func attach() throws(TLSError) {
        // Not counted as an owner: this object frees what calls back before it goes.
        let this = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard let bio = unsafe BufferBIO.make(this), unsafe SSL_set_ex_data(ssl, 0, this) == 1 else {
            throw .library("create a connection")
        }
        unsafe SSL_set_bio(ssl, bio, bio)
    }

    deinit { unsafe SSL_free(ssl) }

    /// The connection that a callback is about.
    static func of(_ ssl: OpaquePointer?) -> TLSConnection? {
        unsafe SSL_get_ex_data(ssl, 0).map {
            unsafe Unmanaged<TLSConnection>.fromOpaque($0).takeUnretainedValue()
        }
    }

    // MARK: Handshake

    /// Resumes the handshake as far as the bytes lead. Returns whether it is done.
    /// - Throws: ``TLSError``; what to tell the peer is in ``outgoing``.
    func handshake() throws(TLSError) -> Bool {
        OpenSSLError.clear()
        let status = unsafe SSL_do_handshake(ssl)
        if status == 1 {
            held = 0
            isOpen = true
            return true
        }
        switch unsafe SSL_get_error(ssl, status) {
        case SSL_ERROR_WANT_READ: return false
        default: throw refusal.map { TLSError($0) } ?? TLSError.take()
        }
    }

    // MARK: Plain bytes

    enum Reading {
        case bytes
        case wantsMore
        /// The peer has said that nothing more comes.
        case ended
    }

    /// How much space is good for what can be read now, in bytes.
    var expectedBytes: Int { unsafe max(incoming.readableBytes + held, Int(SSL_pending(ssl))) }

    /// Decrypts at most a record into the space of a buffer.
    func read(into buffer: inout ByteBuffer) throws(TLSError) -> Reading {
        OpenSSLError.clear()
        var count = 0
        var status: Int32 = 0
        unsafe buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: 1) { available in
            status = unsafe SSL_read_ex(ssl, available.baseAddress, available.count, &count)
            return count
        }
        guard !isFlooded else {
            OpenSSLError.clear()
            throw TLSError(.protocolViolation, "too many TLS control messages from the peer, and no data")
        }
        if status == 1 {
            burden = max(0, burden - count)
            if unsafe SSL_pending(ssl) == 0 { held = 0 }
            return .bytes
        }
        switch unsafe SSL_get_error(ssl, status) {
        case SSL_ERROR_WANT_READ: return .wantsMore
        case SSL_ERROR_ZERO_RETURN: return .ended
        default: throw .take()
        }
    }

    /// Takes plain bytes from the front of a buffer, a record's worth at most. Small pieces are put together: a record of
    /// nine bytes, as the head of a frame, would cost as much as one of some kilobytes.
    func pack(_ buffer: inout ByteBuffer) throws(TLSError) {
        if partial.readableBytes == 0, buffer.readableBytes >= Self.recordSize {
            guard let record = buffer.readSlice(length: Self.recordSize) else { return }
            return try encrypt(record)
        }
        let count = min(Self.recordSize - partial.readableBytes, buffer.readableBytes)
        guard var piece = buffer.readSlice(length: count) else { return }
        partial.writeBuffer(&piece)
        if partial.readableBytes == Self.recordSize { try seal() }
    }

    /// Encrypts what waits for a record to be full.
    func seal() throws(TLSError) {
        guard partial.readableBytes > 0 else { return }
        try encrypt(partial)
        partial.clear()
    }

    /// Gives back the memory in which records are put together.
    func forgetPartial() { partial = ByteBuffer() }

    private func encrypt(_ record: borrowing ByteBuffer) throws(TLSError) {
        OpenSSLError.clear()
        var written = 0
        let status = unsafe record.withUnsafeReadableBytes {
            unsafe SSL_write_ex(ssl, $0.baseAddress, $0.count, &written)
        }
        // The buffers never refuse bytes, and no handshake follows the first: nothing is left over.
        guard status == 1, written == record.readableBytes else { throw .take() }
    }

    /// Tells the peer that nothing more comes from here.
    func close() {
        OpenSSLError.clear()
        unsafe SSL_shutdown(ssl)
        OpenSSLError.clear()
    }

    // MARK: Records without plaintext bytes

    private var isFlooded: Bool { burden > Self.mostWords * Self.wordCost }

    /// libssl tells what kind of record has come.
    func noteRecord(kind: UInt8) {
        if isOpen, Int32(kind) != SSL3_RT_APPLICATION_DATA { burden += Self.wordCost }
    }

    // MARK: Encrypted bytes

    /// Adds what came from the network.
    func receive(_ buffer: inout ByteBuffer) {
        if incoming.readableBytes == 0 { incoming = buffer } else { incoming.writeBuffer(&buffer) }
    }

    /// Reserves memory for so many encrypted bytes, and for the plaintext that is put together for a record.
    func reserve(_ size: Int, plaintext: Int, _ allocator: ByteBufferAllocator) {
        partial.reserveCapacity(min(plaintext, Self.recordSize))
        if outgoing.readableBytes == 0 {
            outgoing = allocator.buffer(capacity: size)
        } else {
            outgoing.reserveCapacity(minimumWritableBytes: size)
        }
    }

    /// What is to be sent; nil when there is nothing.
    func takeOutgoing() -> ByteBuffer? {
        guard outgoing.readableBytes > 0 else { return nil }
        defer { outgoing = ByteBuffer() }
        return outgoing
    }

    /// Copies the next encrypted bytes for OpenSSL, and returns how many there were.
    func provide(_ target: UnsafeMutableRawBufferPointer) -> Int {
        // It would go on to the next record by itself.
        guard !isFlooded else { return 0 }
        let count = min(target.count, incoming.readableBytes)
        unsafe incoming.readWithUnsafeReadableBytes { source in
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<count]))
            return count
        }
        held += count
        if incoming.readableBytes == 0 { incoming = ByteBuffer() }
        return count
    }
}
