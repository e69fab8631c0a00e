import NIOCore
import NIOEmbedded
import Testing

@testable import ValiseRelay

/// What is counted of a client's bytes, whatever pieces they come in.
struct FrameRateTests {
    private static let preface = [UInt8](repeating: 0x50, count: 24)

    private static func frame(_ type: UInt8, flags: UInt8 = 0, payload: Int = 0) -> [UInt8] {
        [UInt8(payload >> 16), UInt8(payload >> 8 & 0xff), UInt8(payload & 0xff), type, flags, 0, 0, 0, 1]
            + [UInt8](repeating: 0x77, count: payload)
    }

    private static func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(bytes.count * count)
        for _ in 0..<count { all += bytes }
        return all
    }

    /// Whether a connection goes through with these bytes, given in pieces of a size.
    private static func passes(_ bytes: [UInt8], pieces: Int = .max) throws -> Bool {
        let channel = EmbeddedChannel(handler: FrameRateHandler(limits: .init()))
        do {
            for start in stride(from: 0, to: bytes.count, by: min(pieces, bytes.count)) {
                let end = start.addingReportingOverflow(pieces).overflow ? bytes.count : start + pieces
                try channel.writeInbound(ByteBuffer(bytes: bytes[start..<min(end, bytes.count)]))
            }
        } catch is ConnectionFault {
            return false
        }
        return true
    }

    @Test(arguments: [1, 2, 7, 9, 10, 100, .max])
    func `a flood is seen in pieces of any size`(_ pieces: Int) throws {
        let limits = RelayLimits.FrameLimits()
        let pings = { Self.repeated(Self.frame(6, payload: 8), $0) }
        #expect(try Self.passes(Self.preface + pings(limits.control), pieces: pieces))
        #expect(try !Self.passes(Self.preface + pings(limits.control + 1), pieces: pieces))
    }

    @Test func `what does work for its bytes is not counted`() throws {
        let work =
            Self.frame(1, flags: 4, payload: 40) + Self.frame(0, payload: 16_384) + Self.frame(0, flags: 1)
            + Self.frame(0, flags: 1, payload: 10)
        #expect(try Self.passes(Self.preface + Self.repeated(work, 500)))
    }

    @Test func `small pieces between large ones are what flow control makes`() throws {
        let honest =
            Self.frame(0, payload: 4096) + Self.repeated(Self.frame(0, payload: 1), 10)
        #expect(try Self.passes(Self.preface + Self.repeated(honest, 600)))
        let flood =
            Self.frame(0, payload: 4096) + Self.repeated(Self.frame(0, payload: 1), 40)
        #expect(try !Self.passes(Self.preface + Self.repeated(flood, 300)))
    }

    @Test(arguments: [
        (UInt8(0), UInt8(0), 0, 20), (0, 0, 1, 5000), (0, 8, 300, 5000), (0, 9, 5000, 5000), (1, 0, 0, 20),
        (2, 0, 5, 100), (3, 0, 4, 100),
        (4, 0, 0, 20),
        (4, 1, 0, 100), (6, 1, 8, 100), (7, 0, 8, 100), (8, 0, 4, 20_000), (9, 4, 0, 20), (0x21, 0, 100, 100),
    ])
    func `every kind has its limit`(_ type: UInt8, _ flags: UInt8, _ payload: Int, _ limit: Int) throws {
        let frames = {
            Self.preface + Self.repeated(Self.frame(type, flags: flags, payload: payload), $0)
        }
        #expect(try Self.passes(frames(limit)))
        #expect(try !Self.passes(frames(limit + 1)))
    }
}
