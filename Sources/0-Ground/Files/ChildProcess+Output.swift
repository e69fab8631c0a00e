package import SystemPackage

extension ChildProcess {
    /// What a program reads.
    package enum Input: Sendable {
        case none
        /// A descriptor, of which the program gets a copy.
        case descriptor(FileDescriptor)
        /// All of it is read before the first byte is written, or the program is ended for being late.
        case bytes([UInt8])
    }

    /// Runs a program to its end, with nobody to complain to.
    ///
    /// - Parameters:
    ///   - program: a path, or a name that is looked for in `PATH`.
    ///   - arguments: without the program's name; other users can read them.
    ///   - input: what it reads.
    ///   - most: how many bytes of its output are taken: with more it is ended.
    ///   - time: how long it may run.
    ///   - checkpoint: called at least five times in a second; throws to end it.
    /// - Returns: what it wrote; nil where it failed, or did not keep within these limits.
    /// - Throws: `Errno`, such as `noSuchFileOrDirectory` for a program that is not there; whatever the checkpoint throws.
    package static func output(
        of program: String, _ arguments: [String], input: Input = .none, upTo most: Int,
        within time: Duration, checkpoint: () throws -> Void = {}
    ) throws -> [UInt8]? {
        let deadline = ContinuousClock.now + time
        func look() throws {
            try checkpoint()
            if ContinuousClock.now > deadline { throw Late() }
        }
        let (reading, writing) = try pipe()
        defer { try? reading.close() }
        let feeding = if case .bytes = input { try pipe() } else { (reading: reading, writing: writing) }
        let child: ChildProcess
        do {
            defer {
                try? writing.close()
                if case .bytes = input { try? feeding.reading.close() }
            }
            child = try ChildProcess(
                program, arguments, streams: (input.stream(feeding.reading), .descriptor(writing), .none),
                isApart: true)
        } catch {
            if case .bytes = input { try? feeding.writing.close() }
            throw error
        }
        var hasEnded = false
        defer {
            if !hasEnded {
                child.endAtOnce()
                _ = child.wait()
            }
        }
        do {
            if case .bytes(let bytes) = input { try feed(bytes, into: feeding.writing, look) }
            guard let output = try all(of: reading, upTo: most, look) else { return nil }
            // Its output may be closed long before its end.
            while true {
                try look()
                guard let ending = child.ending(within: .milliseconds(200)) else { continue }
                hasEnded = true
                return ending == .status(0) ? output : nil
            }
        } catch is Late {
            return nil
        }
    }

    /// Thrown where the time is over.
    private struct Late: Error {}

    /// A program that does not want all of it is no failure.
    private static func feed(
        _ bytes: [UInt8], into pipe: FileDescriptor, _ look: () throws -> Void
    ) throws {
        defer { try? pipe.close() }
        try unsafe bytes.withUnsafeBytes { bytes in
            var place = 0
            while place < bytes.count {
                let piece = unsafe UnsafeRawBufferPointer(
                    rebasing: bytes[place..<min(place + 4096, bytes.count)])
                do {
                    place += try unsafe pipe.write(piece, checkpoint: look)
                } catch Errno.brokenPipe {
                    return
                }
            }
        }
    }

    /// - Returns: nil for more bytes.
    private static func all(
        of pipe: FileDescriptor, upTo most: Int, _ look: () throws -> Void
    ) throws -> [UInt8]? {
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try unsafe piece.withUnsafeMutableBytes { memory in
                try unsafe pipe.read(into: memory, checkpoint: look)
            }
            guard count > 0 else { return output }
            guard output.count + count <= most else { return nil }
            output += piece[..<count]
        }
    }
}

extension ChildProcess.Input {
    fileprivate func stream(_ pipe: FileDescriptor) -> ChildProcess.Stream {
        switch self {
        case .none: .none
        case .descriptor(let descriptor): .descriptor(descriptor)
        case .bytes: .descriptor(pipe)
        }
    }
}
