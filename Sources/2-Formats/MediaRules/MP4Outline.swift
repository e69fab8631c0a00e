import ValiseFailures

/// What the boxes of an MP4, M4A or QuickTime file say of it: how long it is, and of what.
package struct MP4Outline: Sendable, Equatable {
    /// In seconds; nil where the file leaves it open, as live recordings do.
    package let duration: Double?
    package let hasVideo: Bool
    package let hasSound: Bool

    /// Reads the boxes that matter, and no content: some dozens of small reads, whatever the size.
    ///
    /// - Parameters:
    ///   - size: of the file in bytes.
    ///   - bytes: gives the bytes of a place; at most 32 are asked for, all within `size`.
    /// - Throws: ``MediaRulesError``: `damaged` for boxes that contradict themselves, `unsupported` for more
    ///   boxes than ``MP4Outline/mostBoxes``; whatever `bytes` throws.
    package init(size: Int64, bytes: (_ offset: Int64, _ count: Int) throws -> [UInt8]) throws {
        self = try withoutActuallyEscaping(bytes) { bytes in
            var walk = BoxWalk(bytes: bytes)
            return try walk.outline(size: max(0, size))
        }
    }

    init(duration: Double?, hasVideo: Bool, hasSound: Bool) {
        self.duration = duration
        self.hasVideo = hasVideo
        self.hasSound = hasSound
    }

    /// What the service takes the file for: without pictures, sound is a voice message.
    package var kind: MediaKind { hasVideo ? .video : hasSound ? .voice : .file }

    /// A hundred years, in seconds: what claims more is damaged.
    package static let longest: Double = 3_155_760_000

    /// How many boxes are looked at before the file is abandoned.
    package static let mostBoxes = 4096
}

/// The walk through the boxes. Each step goes forward and the number of steps has a limit, so it ends.
private struct BoxWalk {
    let bytes: (Int64, Int) throws -> [UInt8]
    private var visited = 0

    init(bytes: @escaping (Int64, Int) throws -> [UInt8]) { self.bytes = bytes }

    private struct Box {
        let type: [UInt8]
        let content: Range<Int64>

        func has(type name: String) -> Bool { type.elementsEqual(name.utf8) }
    }

    mutating func outline(size: Int64) throws -> MP4Outline {
        var place: Int64 = 0
        while let box = try next(at: place, end: size) {
            if box.has(type: "moov") { return try movie(box) }
            place = box.content.upperBound
        }
        throw damaged("no movie box (moov)")
    }

    private mutating func movie(_ movie: Box) throws -> MP4Outline {
        var duration: Double?
        var handlers: Set<[UInt8]> = []
        var hasHeader = false
        var place = movie.content.lowerBound
        while let box = try next(at: place, end: movie.content.upperBound) {
            if box.has(type: "mvhd") {
                if hasHeader { throw damaged("two movie headers") }
                hasHeader = true
                duration = try self.duration(box)
            }
            if box.has(type: "trak"), let media = try first("mdia", in: box),
                let handler = try first("hdlr", in: media)
            {
                handlers.insert(Array(try read(handler, count: 12)[8..<12]))
            }
            place = box.content.upperBound
        }
        guard hasHeader else { throw damaged("no movie header") }
        return MP4Outline(
            duration: duration, hasVideo: handlers.contains(Array("vide".utf8)),
            hasSound: handlers.contains(Array("soun".utf8)))
    }

    private mutating func first(_ type: String, in parent: Box) throws -> Box? {
        var place = parent.content.lowerBound
        while let box = try next(at: place, end: parent.content.upperBound) {
            if box.has(type: type) { return box }
            place = box.content.upperBound
        }
        return nil
    }

    /// The movie header: version and flags, two times, units per second, duration. Version 1 has times and
    /// duration of 8 bytes.
    private func duration(_ header: Box) throws -> Double? {
        let version = try read(header, count: 1)[0]
        guard version <= 1 else { throw damaged("unknown movie header version \(version)") }
        let (isLong, width) = (version == 1, version == 1 ? 8 : 4)
        let fields = try read(header, count: isLong ? 32 : 20)
        let scalePlace = 4 + 2 * width
        let scale = Self.number(fields[scalePlace..<scalePlace + 4])
        let duration = Self.number(fields[(scalePlace + 4)...])
        guard scale > 0 else { throw damaged("the movie header has a time scale of 0") }
        // All ones, or nothing: unknown.
        if duration == 0 || duration == (isLong ? UInt64.max : UInt64(UInt32.max)) { return nil }
        let seconds = Double(duration) / Double(scale)
        guard seconds <= MP4Outline.longest else {
            throw damaged("it claims a duration of \(duration) / \(scale) s")
        }
        return seconds
    }

    /// The box at a place; nil at the end of its parent. Some bytes that are too few for a box may follow.
    private mutating func next(at place: Int64, end: Int64) throws -> Box? {
        guard end - place >= 8 else { return nil }
        visited += 1
        guard visited <= MP4Outline.mostBoxes else {
            throw MediaRulesError(.unsupported, "more than \(MP4Outline.mostBoxes) boxes")
        }
        let head = try exactly(place, 8)
        var (start, length) = (place + 8, Self.number(head[0..<4]))
        if length == 0 {
            length = UInt64(end - place)
        } else if length == 1 {
            guard end - place >= 16 else { throw damaged("the box at \(place) is cut off") }
            length = Self.number(try exactly(place + 8, 8)[...])
            start += 8
        }
        guard length >= UInt64(start - place), length <= UInt64(end - place) else {
            throw damaged("the box at \(place) has an invalid size")
        }
        return Box(type: Array(head[4..<8]), content: start..<place + Int64(length))
    }

    private func read(_ box: Box, count: Int) throws -> [UInt8] {
        guard box.content.upperBound - box.content.lowerBound >= Int64(count) else {
            throw damaged("the box at \(box.content.lowerBound) is too short")
        }
        return try exactly(box.content.lowerBound, count)
    }

    private func exactly(_ place: Int64, _ count: Int) throws -> [UInt8] {
        let found = try bytes(place, count)
        guard found.count == count else { throw damaged("its content ends at \(place)") }
        return found
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func damaged(_ detail: String) -> MediaRulesError {
        MediaRulesError(.damaged, "not a complete MP4: \(detail)")
    }
}
