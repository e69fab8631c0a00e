import NIOCore

/// Counts the frames of a client before NIOHTTP2 sees them, and ends connections that flood.
final class FrameRateHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let smallForEachLarge = 16

    private let limits: RelayLimits.FrameLimits
    private var header = FrameHeader()
    /// Bytes up to the next header. A connection begins with a preface of 24.
    private var payload = 24
    private var counts = [Int](repeating: 0, count: FrameKind.allCases.count)
    private var second = NIODeadline.now()
    private var isClosed = false

    init(limits: RelayLimits.FrameLimits) { self.limits = limits }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosed else { return }
        let flood = unsafe unwrapInboundIn(data).withUnsafeReadableBytes { bytes in
            unsafe self.flood(in: bytes)
        }
        guard let flood else { return context.fireChannelRead(data) }
        isClosed = true
        context.fireErrorCaught(ConnectionFault.flood(flood))
    }

    private func flood(in bytes: UnsafeRawBufferPointer) -> FrameKind? {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            if payload > 0 {
                let skipped = unsafe min(payload, rest.count)
                payload -= skipped
                unsafe rest = unsafe rest.dropFirst(skipped)
            } else {
                unsafe header.append(rest.removeFirst())
                guard header.isComplete else { continue }
                payload = header.length
                if header.isLargeData { forgive() }
                if let kind = header.kind, exceeds(kind) { return kind }
                header = FrameHeader()
            }
        }
        return nil
    }

    /// Flow control cuts honest bodies into small frames too, between large ones.
    private func forgive() {
        let small = FrameKind.small.rawValue
        counts[small] = max(0, counts[small] - Self.smallForEachLarge)
    }

    private func exceeds(_ kind: FrameKind) -> Bool {
        let now = NIODeadline.now()
        if now - second >= .seconds(1) {
            second = now
            for index in counts.indices { counts[index] = 0 }
        }
        counts[kind.rawValue] += 1
        return counts[kind.rawValue] > kind.limit(of: limits)
    }
}

/// Frames that a flood can be made of.
enum FrameKind: Int, CaseIterable, Sendable {
    case control, resets, empty, ignored, windowUpdates, small

    func limit(of limits: RelayLimits.FrameLimits) -> Int {
        switch self {
        case .control: limits.control
        case .resets: limits.resets
        case .empty: limits.empty
        case .ignored: limits.ignored
        case .windowUpdates: limits.windowUpdates
        case .small: limits.small
        }
    }
}

/// The nine bytes before the payload of a frame (RFC 9113, §4.1).
private struct FrameHeader {
    private static let small = 256
    private static let large = 4096
    private static let endStream: UInt8 = 0x1
    private static let padded: UInt8 = 0x8

    private(set) var length = 0
    private var type: UInt8 = 0
    private var flags: UInt8 = 0
    private var count = 0

    var isComplete: Bool { count == 9 }

    mutating func append(_ byte: UInt8) {
        switch count {
        case 0...2: length = length << 8 | Int(byte)
        case 3: type = byte
        case 4: flags = byte
        default: break  // the stream
        }
        count += 1
    }

    var isLargeData: Bool { type == 0x0 && length >= Self.large && flags & Self.padded == 0 }

    /// Nil for what does some work for its bytes.
    var kind: FrameKind? {
        let ends = flags & Self.endStream != 0
        return switch type {
        case 0x0 where length == 0 && !ends: .empty
        // Padding is work for nothing, and fills no window of a file.
        case 0x0 where (length < Self.small && !ends) || flags & Self.padded != 0: .small
        case 0x1 where length == 0 && !ends: .empty
        case 0x9 where length == 0: .empty
        case 0x0, 0x1, 0x9: nil
        case 0x3: .resets
        case 0x4, 0x6: ends ? .ignored : .control  // the same bit is ACK here
        case 0x8: .windowUpdates
        default: .ignored
        }
    }
}

/// Why a connection is ended.
enum ConnectionFault: Error {
    case flood(FrameKind)
    case tooSlow
    case tooLate
    case idle
}
