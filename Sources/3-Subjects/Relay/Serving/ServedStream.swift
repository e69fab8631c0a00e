import NIOCore
import NIOHTTP2
import ValiseXFTPWire

/// One request and its answer. Belongs to the event loop of its connection.
final class ServedStream {
    let id: HTTP2StreamID
    var started = NIODeadline.now()
    let headers: RequestHeaders

    var phase = Phase.head([])
    /// What of the body is not yet taken care of.
    var body = BodyQueue()
    /// Whether the body is complete.
    var hasEnded = false
    var isClosed = false

    /// What the client may still send, by HTTP/2's count.
    var receiveWindow: Int?
    /// What may still be sent to the client.
    var sendWindow = 0
    /// Of the connection's buffers for requests, in bytes.
    var held = 0
    /// Bytes of answers that HTTP/2, TLS or the system hold.
    var inFlight = 0
    /// Whether it counts as an upload or a download.
    var isTransfer = false
    /// Whether a thread works for it, or closes its file. One at a time does.
    var isAtWork = false

    /// Bytes that may be moved, and were not yet.
    var paid = 0
    /// Whether it waits until it may move more.
    var isPaused = false
    /// Bytes moved since ``checked``.
    var progress = 0
    var checked = NIODeadline.now()

    init(id: HTTP2StreamID, headers: RequestHeaders) {
        self.id = id
        self.headers = headers
    }

    /// How far a request is.
    enum Phase {
        /// Its block is being read.
        case head([UInt8])
        /// It is known what to do, once the request has ended.
        case complete(RelaySession.Action)
        /// It waits for its turn, or is worked on. With a body to come for `FPUT` only.
        case working(hasBody: Bool)
        case storing(IncomingChunk)
        /// The chunk is here already: its size, and how much came.
        case comparing(size: Int64, received: Int64, AuthorizedRequest)
        case sending(OutgoingChunk)
        /// The answer is given, or on its way; what still comes of the body is thrown away: so many bytes till now.
        case answered(discarded: Int)
    }
}

/// What of the header lines matters.
struct RequestHeaders {
    enum Method {
        case get
        case options
        /// All others, which are treated alike.
        case post
    }

    var method = Method.post
    var hasHello = false
    var hasHandshake = false
}

/// Pieces of a body in their order.
///
/// A piece keeps the memory of all that came with it, so small ones are copied together: flow control counts what is
/// in them, not the padding or the other frames around them.
struct BodyQueue {
    private static let smallest = 1024
    private static let copySize = 16 << 10

    private var pieces = CircularBuffer<ByteBuffer>()
    /// The last piece, when it is made of small ones.
    private var copied = ByteBuffer()
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ piece: ByteBuffer) {
        guard piece.readableBytes > 0 else { return }
        count += piece.readableBytes
        guard piece.readableBytes < max(Self.smallest, piece.storageCapacity / 4) else {
            finishCopy()
            return pieces.append(piece)
        }
        if copied.readableBytes + piece.readableBytes > Self.copySize { finishCopy() }
        copied.writeImmutableBuffer(piece)
    }

    private mutating func finishCopy() {
        guard copied.readableBytes > 0 else { return }
        pieces.append(copied)
        copied = ByteBuffer()
    }

    /// Memory that the pieces keep, in bytes, where no two share any.
    var keptBytes: Int { pieces.reduce(copied.storageCapacity) { $0 + $1.storageCapacity } }

    /// As many whole pieces as have at most so many bytes together, but at least one.
    mutating func take(most: Int) -> [ByteBuffer] {
        finishCopy()
        var taken: [ByteBuffer] = []
        var bytes = 0
        while let piece = pieces.first, taken.isEmpty || bytes + piece.readableBytes <= most {
            pieces.removeFirst()
            bytes += piece.readableBytes
            taken.append(piece)
        }
        count -= bytes
        return taken
    }

    mutating func removeAll() {
        pieces.removeAll()
        copied = ByteBuffer()
        count = 0
    }
}

/// A chunk on its way into the store.
final class IncomingChunk {
    let upload: ChunkUpload
    let size: Int64
    let request: AuthorizedRequest
    var received: Int64 = 0
    /// Whether it is whole and durable.
    var isStored = false
    /// Why it is abandoned.
    var refusal: XFTPErrorCode?

    init(_ upload: ChunkUpload, size: Int64, request: AuthorizedRequest) {
        self.upload = upload
        self.size = size
        self.request = request
    }
}

/// A chunk on its way to a client.
final class OutgoingChunk {
    /// Nil when it was read, or nobody wants it any more: it has a file open.
    var source: EncryptedChunk?
    /// Bytes that no thread has read yet.
    var remaining: Int64
    /// Bytes that HTTP/2, TLS or the system hold.
    var inFlight = 0
    var waitsForBuffers = false

    init(_ chunk: EncryptedChunk) {
        source = chunk
        remaining = chunk.size
    }
}
