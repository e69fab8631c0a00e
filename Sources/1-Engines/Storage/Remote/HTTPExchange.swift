import ValiseFiles

/// What comes of one request, as libcurl's callbacks collect it, and what goes with it.
final class HTTPExchange {
    /// Servers send some hundred bytes. The library itself does not limit the number of lines.
    static let mostHeadBytes = 256 << 10

    private let mostBytes: Int
    private let source: (any ByteSource)?
    private let receiver: HTTPReceiver?
    private let checkpoint: () throws -> Void
    private let allowed: ((NetworkAddress) -> Bool)?
    private var headBytes = 0
    private var status = 0
    /// Of the source, where the next piece begins.
    private var place: Int64 = 0

    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body: [UInt8] = []
    /// Whether the body was longer than allowed.
    private(set) var isCut = false
    /// Whether the head was.
    private(set) var isHeadTooLong = false
    /// What the checkpoint, the source or the receiver threw.
    private(set) var failure: (any Error)?

    /// The last address that was left out; nil for none.
    private(set) var refusedAddress: NetworkAddress?

    /// Whether somebody has to be asked about addresses.
    var asksForAddresses: Bool { allowed != nil }

    /// - Parameters:
    ///   - request: of which the answer is.
    ///   - receiver: gets the body of a success instead of ``body``.
    ///   - allowed: is asked about addresses; nil for any.
    ///   - checkpoint: throws to end the request.
    init(
        _ request: HTTPRequest, _ receiver: HTTPReceiver?,
        allows allowed: ((NetworkAddress) -> Bool)? = nil, checkpoint: @escaping () throws -> Void
    ) {
        mostBytes = request.mostBytes
        source = request.source
        self.receiver = receiver
        self.allowed = allowed
        self.checkpoint = checkpoint
    }

    /// - Parameter bytes: of an address, 4 or 16.
    /// - Returns: whether to connect to it.
    func allows(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let address = unsafe NetworkAddress(Array(bytes)) else { return false }
        if allowed?(address) ?? true { return true }
        refusedAddress = address
        return false
    }

    // MARK: The answer

    /// Takes a line of the head; the heads of interim answers come before that of the answer.
    /// - Returns: whether to continue.
    func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headBytes += line.count
        guard headBytes <= Self.mostHeadBytes else {
            isHeadTooLong = true
            return false
        }
        let text = unsafe String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            headers = []
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
            return true
        }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let value = text[text.utf8.index(after: colon)...]
        headers.append((text[..<colon].lowercased(), Self.trimmed(value)))
        return true
    }

    private static func trimmed(_ text: Substring) -> String {
        let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\n" }
        var scalars = text.unicodeScalars.drop(while: isSpace)
        while let last = scalars.last, isSpace(last) { scalars.removeLast() }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Takes a part of the body.
    /// - Returns: whether to continue.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let receiver, (200..<300).contains(status) {
            let head = HTTPResponse(status: status, headers: headers, body: [], isCut: false)
            return attempt { try unsafe receiver.take(bytes, head) }
        }
        if body.isEmpty, let length = headers.last(where: { $0.name == "content-length" })?.value {
            // What a server says of its answer is no reason to take all the memory.
            body.reserveCapacity(min(Int(length) ?? 0, mostBytes, 32 << 20))
        }
        let free = mostBytes - body.count
        unsafe body.append(contentsOf: bytes.prefix(free))
        isCut = bytes.count > free
        return !isCut
    }

    // MARK: The request

    /// Gives the next piece of the source.
    /// - Returns: how many bytes; none behind the end, -1 where they cannot be read.
    func giveBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let source else { return 0 }
        let count = Int(min(Int64(buffer.count), source.size - place))
        let isDone = attempt {
            try unsafe source.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: place)
        }
        guard isDone else { return -1 }
        place += Int64(count)
        return count
    }

    /// - Returns: whether the source has this place.
    func rewindBody(to place: Int64) -> Bool {
        guard let source, (0...source.size).contains(place) else { return false }
        self.place = place
        return true
    }

    /// - Returns: whether to continue.
    func proceed() -> Bool { attempt(checkpoint) }

    private func attempt(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            failure = error
            return false
        }
    }
}
