import FaultInjection
import Testing
import ValiseEncoding
import ValiseFailures

@testable import ValiseStorage

/// The packets of the protocol, without a server.
struct SFTPPacketTests {
    private static func text(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.append(bigEndian: UInt32(bytes.count))
        return text + bytes
    }

    private static func text(_ words: String) -> [UInt8] { text(Array(words.utf8)) }

    private static func number(_ value: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: value)
        return bytes
    }

    /// Size, owner, permissions, times, and an attribute of the server's own.
    private static let attributes: [UInt8] =
        number(0x8000_000F) + [0, 0, 0, 1, 0, 0, 0, 2] + number(1000) + number(1000) + number(0o100600)
        + number(1)
        + number(2) + number(1) + text("name@example.org") + text("value")

    /// One of each kind, with the number of its request.
    private static let answers: [[UInt8]] = [
        [101] + number(1) + number(0) + text("Success") + text("en"),
        [101] + number(2) + number(4),
        [102] + number(3) + text([0, 1, 2, 3]),
        [103] + number(4) + text([UInt8](repeating: 7, count: 300)),
        [104] + number(5) + number(2) + text("name") + text("-rw------- name") + attributes + text([0xff])
            + text("") + number(0),
        [105] + number(6) + attributes,
        [201] + number(7) + [UInt8](repeating: 9, count: 88),
    ]

    private static let stream = answers.flatMap { text($0) }

    private static func read(_ pieces: [ArraySlice<UInt8>]) throws -> [String] {
        var frames = SFTPFrames()
        var found: [String] = []
        for piece in pieces {
            frames.append(piece)
            while let packet = try frames.next() {
                let (id, response) = try SFTPResponse.read(packet)
                found.append("\(id): \(response)")
            }
        }
        #expect(!frames.isWithinPacket)
        return found
    }

    // MARK: Requests

    @Test func `requests have the bytes of the protocol`() {
        let handle = SFTPHandle(bytes: [1, 2])
        let expected: [(SFTPRequest, [UInt8])] = [
            (.open("a", .reading), [3] + Self.number(9) + Self.text("a") + Self.number(1) + Self.number(0)),
            (
                .open("a", .creating),
                [3] + Self.number(9) + Self.text("a") + Self.number(0x2A) + Self.number(4)
                    + Self.number(0o600)
            ),
            (.close(handle), [4] + Self.number(9) + Self.text([1, 2])),
            (
                .read(handle, offset: 5, count: 32),
                [5] + Self.number(9) + Self.text([1, 2]) + [0, 0, 0, 0, 0, 0, 0, 5] + Self.number(32)
            ),
            (
                .write(handle, offset: 1 << 32, [8, 9]),
                [6] + Self.number(9) + Self.text([1, 2]) + [0, 0, 0, 1, 0, 0, 0, 0] + Self.text([8, 9])
            ),
            (.linkStat("a"), [7] + Self.number(9) + Self.text("a")),
            (.openFolder("a"), [11] + Self.number(9) + Self.text("a")),
            (.readFolder(handle), [12] + Self.number(9) + Self.text([1, 2])),
            (.remove("ä"), [13] + Self.number(9) + Self.text([0xc3, 0xa4])),
            (.makeFolder("a"), [14] + Self.number(9) + Self.text("a") + Self.number(4) + Self.number(0o700)),
            (.stat("a"), [17] + Self.number(9) + Self.text("a")),
            (.rename("a", to: "b"), [18] + Self.number(9) + Self.text("a") + Self.text("b")),
            (
                .replace("b", by: "a"),
                [200] + Self.number(9) + Self.text("posix-rename@openssh.com") + Self.text("a")
                    + Self.text("b")
            ),
            (
                .link("a", to: "b"),
                [200] + Self.number(9) + Self.text("hardlink@openssh.com") + Self.text("a") + Self.text("b")
            ),
            (.flush(handle), [200] + Self.number(9) + Self.text("fsync@openssh.com") + Self.text([1, 2])),
            (.fileSystem("a"), [200] + Self.number(9) + Self.text("statvfs@openssh.com") + Self.text("a")),
        ]
        for (request, bytes) in expected { #expect(request.encoded(9) == Self.text(bytes), "\(request)") }
        #expect(SFTPRequest.greeting == Self.text([1, 0, 0, 0, 3]))
    }

    // MARK: Answers

    @Test func `answers are the same wherever their bytes are cut`() throws {
        let stream = Self.stream
        let whole = try Self.read([stream[...]])
        #expect(whole.count == Self.answers.count)
        for cut in 0...stream.count {
            #expect(try Self.read([stream[..<cut], stream[cut...]]) == whole)
        }
        for size in [1, 2, 3, 4, 5, 7, 64] {
            let pieces = stride(from: 0, to: stream.count, by: size).map {
                stream[$0..<min($0 + size, stream.count)]
            }
            #expect(try Self.read(pieces) == whole)
        }
    }

    @Test func `what an answer says is what is read`() throws {
        let found = try Self.answers.map { try SFTPResponse.read($0[...]) }
        #expect(found.map(\.id) == [1, 2, 3, 4, 5, 6, 7])
        guard case .status(let success) = found[0].response, case .status(let failure) = found[1].response,
            case .handle(let handle) = found[2].response, case .data(let data) = found[3].response,
            case .names(let names) = found[4].response, case .attributes(let attributes) = found[5].response,
            case .other(let other) = found[6].response
        else {
            Issue.record("answers of other kinds")
            return
        }
        #expect(success.code == 0 && success.text == "Success" && failure.code == 4 && failure.text == "")
        #expect(failure.isUnexplained && !failure.isMissing && !failure.isEnd)
        #expect(handle.bytes == [0, 1, 2, 3] && data.count == 300 && other.count == 88)
        #expect(names.map(\.name) == ["name", nil] && names[1].attributes.size == nil)
        #expect(
            attributes.size == 1 << 32 | 2 && attributes.kind == .file && names[0].attributes == attributes)
    }

    @Test func `an answer that is cut off within its packet is refused`() {
        for answer in Self.answers.dropLast() where answer.count < 200 {
            for count in 0..<answer.count {
                // The text may be missing, and its language is not read.
                if answer[0] == 101, count == 9 || count >= 20 { continue }
                let found = storageFailure { _ = try SFTPResponse.read(answer[..<count]) }
                #expect(found?.kind == .answer && found?.code == .failed)
            }
        }
    }

    @Test func `lengths and numbers that nothing can have are refused at once`() {
        for length: UInt32 in [0, 0x40401, 0x7FFF_FFFF, .max] {
            var frames = SFTPFrames()
            frames.append(Self.number(length) + [1, 2, 3])
            #expect(storageFailure { _ = try frames.next() }?.kind == .answer)
        }
        let hostile: [[UInt8]] = [
            [102] + Self.number(1) + Self.text([UInt8](repeating: 1, count: 257)),
            [103] + Self.number(1) + Self.number(.max) + [1],
            [104] + Self.number(1) + Self.number(.max) + Self.text("a") + Self.text("a") + Self.number(0),
            [104] + Self.number(1) + Self.number(2) + Self.text("a") + Self.text("a") + Self.number(0),
            [105] + Self.number(1) + Self.number(0x8000_0000) + Self.number(.max) + Self.text("a"),
            [99] + Self.number(1), [2] + Self.number(3), [], [101],
        ]
        for packet in hostile {
            #expect(storageFailure { _ = try SFTPResponse.read(packet[...]) }?.kind == .answer)
        }
    }

    @Test func `a size that no file has is none`() throws {
        let packet: [UInt8] = [105] + Self.number(1) + Self.number(1) + [UInt8](repeating: 0xff, count: 8)
        guard case .attributes(let found) = try SFTPResponse.read(packet[...]).response else {
            Issue.record("no attributes")
            return
        }
        #expect(found.size == nil && found.kind == nil)
    }

    @Test func `what a server says does not drive the terminal`() throws {
        let packet =
            [101] + Self.number(1) + Self.number(99)
            + Self.text("\u{1b}[2J\nno" + String(repeating: "x", count: 500))
        guard case .status(let status) = try SFTPResponse.read(packet[...]).response else {
            Issue.record("no status")
            return
        }
        let failure = status.failure(cannot: "store", "sftp://host/path")
        #expect(!failure.message.unicodeScalars.contains { $0.isControl } && failure.message.count < 200)
    }

    @Test func `greetings name the version and what is known of the rest`() throws {
        let extensions = ["fsync@openssh.com", "unheard-of", "statvfs@openssh.com"].flatMap {
            Self.text($0) + Self.text("1")
        }
        #expect(
            try SFTPGreeting(([2] + Self.number(3) + extensions)[...]).extensions == [.flushing, .freeSpace])
        #expect(try SFTPGreeting(([2] + Self.number(3))[...]).extensions.isEmpty)
        for version: UInt32 in [0, 2, 4, 6, .max] {
            #expect(
                storageFailure { _ = try SFTPGreeting(([2] + Self.number(version))[...]) }?.code
                    == .unsupported)
        }
        for packet in [[], [2], [2, 0, 0], [101] + Self.number(3), [2] + Self.number(3) + Self.number(99)]
            as [[UInt8]]
        {
            #expect(storageFailure { _ = try SFTPGreeting(packet[...]) }?.kind == .answer)
        }
    }

    @Test func `damaged answers are refused or read, and nothing worse`() {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<(FaultSweep.isIntact ? 100_000 : 3_000) {
            var bytes = Self.stream
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
                    in: 0 ... .max, using: &generator)
            }
            var frames = SFTPFrames()
            frames.append(bytes)
            do {
                while let packet = try frames.next() { _ = try SFTPResponse.read(packet) }
            } catch {
                #expect(error.kind == .answer)
            }
        }
    }

    @Test func `free space is read of what a server says of its file system`() throws {
        var answer: [UInt8] = []
        for value: UInt64 in [4096, 512, 100, 50, 40, 1, 1, 1, 0, 0, 255] { answer.append(bigEndian: value) }
        let free: Int64? = 20_480
        #expect(SFTPStatus.freeSpace(answer[...]) == free)
        #expect(SFTPStatus.freeSpace(answer[..<30]) == nil)
        #expect(SFTPStatus.freeSpace([UInt8](repeating: 0xff, count: 88)[...]) == nil)
    }
}
