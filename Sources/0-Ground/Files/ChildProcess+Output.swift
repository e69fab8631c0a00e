import SystemPackage

extension ChildProcess {
    /// Runs a program to its end, with nothing to read and nobody to complain to.
    ///
    /// - Parameters:
    ///   - program: a path, or a name that is looked for in `PATH`.
    ///   - arguments: without the program's name; other users can read them.
    ///   - most: how many bytes of its output are taken: with more it is ended.
    ///   - time: how long it may run.
    ///   - checkpoint: called at least five times in a second; throws to end it.
    /// - Returns: what it wrote; nil where it failed, or did not keep within these limits.
    /// - Throws: `Errno`, such as `noSuchFileOrDirectory` for a program that is not there; whatever the checkpoint throws.
    package static func output(
        of program: String, _ arguments: [String], upTo most: Int, within time: Duration,
        checkpoint: () throws -> Void = {}
    ) throws -> [UInt8]? {
        let deadline = ContinuousClock.now + time
        let (reading, writing) = try pipe()
        defer { try? reading.close() }
        let child: ChildProcess
        do {
            defer { try? writing.close() }
            child = try ChildProcess(
                program, arguments, streams: (.none, .descriptor(writing), .none), isApart: true)
        }
        var hasEnded = false
        defer {
            if !hasEnded {
                child.endAtOnce()
                _ = child.wait()
            }
        }
        guard let output = try all(of: reading, upTo: most, until: deadline, checkpoint) else { return nil }
        // Its output may be closed long before its end.
        while ContinuousClock.now < deadline {
            try checkpoint()
            guard let ending = child.ending(within: .milliseconds(200)) else { continue }
            hasEnded = true
            return ending == .status(0) ? output : nil
        }
        return nil
    }

    /// Thrown where the time is over.
    private struct Late: Error {}

    /// - Returns: nil for more bytes, or more time.
    private static func all(
        of pipe: FileDescriptor, upTo most: Int, until deadline: ContinuousClock.Instant,
        _ checkpoint: () throws -> Void
    ) throws -> [UInt8]? {
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        do {
            while true {
                let count = try unsafe piece.withUnsafeMutableBytes { memory in
                    try unsafe pipe.read(into: memory) {
                        try checkpoint()
                        if ContinuousClock.now > deadline { throw Late() }
                    }
                }
                guard count > 0 else { return output }
                guard output.count + count <= most else { return nil }
                output += piece[..<count]
            }
        } catch is Late {
            return nil
        }
    }
}
